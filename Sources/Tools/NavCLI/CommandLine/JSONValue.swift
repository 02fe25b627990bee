import Foundation
import MessagePack

extension MessagePackValue {
  /// The value of a JSON text.
  ///
  /// - Throws: `Problem` that describes what is wrong with the text.
  init(json text: String) throws {
    do {
      self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)).value
    } catch {
      throw Problem("not JSON: \(text.prefix(200))")
    }
  }
}

/// Any JSON value; integers stay integers.
private struct JSONValue: Decodable {
  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  var value: MessagePackValue

  init(from decoder: any Decoder) throws {
    if let map = try? decoder.container(keyedBy: Key.self) {
      value = .map(
        try map.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
          MessagePackValue.Entry($0.stringValue, try map.decode(JSONValue.self, forKey: $0).value)
        })
      return
    }
    if var list = try? decoder.unkeyedContainer() {
      var values: [MessagePackValue] = []
      while !list.isAtEnd { values.append(try list.decode(JSONValue.self).value) }
      value = .array(values)
      return
    }
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      value = .null
    } else if let bool = try? single.decode(Bool.self) {
      value = .bool(bool)
    } else if let int = try? single.decode(Int64.self) {
      value = .int(int)
    } else if let double = try? single.decode(Double.self) {
      value = .double(double)
    } else {
      value = .string(try single.decode(String.self))
    }
  }
}
