import RoadGraph

/// The texts of a map, each once, numbered in the order of their first use; text 0 is empty.
struct TextTable {
  private var ids: [String: UInt32] = [:]
  private(set) var first: [UInt32] = [0, 0]
  private(set) var bytes: [UInt8] = []

  mutating func id(_ text: String?) -> TextID {
    guard let text, !text.isEmpty else { return .empty }
    if let known = ids[text] { return TextID(rawValue: known) }
    let id = UInt32(first.count - 1)
    ids[text] = id
    bytes.append(contentsOf: text.utf8)
    first.append(UInt32(bytes.count))
    return TextID(rawValue: id)
  }

  /// The text of an id from this table.
  func text(_ id: TextID) -> String {
    let place = Int(id.rawValue)
    guard place + 1 < first.count else { return "" }
    return String(decoding: bytes[Int(first[place])..<Int(first[place + 1])], as: UTF8.self)
  }
}

/// The attributes of a map, each once, numbered in the order of their first use.
struct AttributeTable {
  private var ids: [RoadAttributes: UInt32] = [:]
  private(set) var records: [RoadAttributes] = []

  mutating func id(_ attributes: RoadAttributes) -> UInt32 {
    if let known = ids[attributes] { return known }
    let id = UInt32(records.count)
    ids[attributes] = id
    records.append(attributes)
    return id
  }
}
