import RoadGraph

/// The texts of a map, each once, numbered in the order of their first use; text 0 is empty.
struct TextTable {
  private var index = HashIndex()
  private(set) var first: [UInt32] = [0, 0]
  private(set) var bytes: [UInt8] = []

  mutating func id(_ text: String?) -> TextID {
    guard var text, !text.isEmpty else { return .empty }
    return text.withUTF8 { id(of: UnsafeRawBufferPointer($0)) }
  }

  private mutating func id(of text: UnsafeRawBufferPointer) -> TextID {
    let known = index.id(hash: Self.hash(text)) { id in
      let range = range(id)
      return range.count == text.count && bytes[range].elementsEqual(text)
    }
    if let known { return TextID(rawValue: known) }
    let id = UInt32(first.count - 1)
    bytes.append(contentsOf: text)
    first.append(UInt32(bytes.count))
    index.add(id) { [first, bytes] id in
      bytes[Int(first[Int(id)])..<Int(first[Int(id) + 1])].withUnsafeBytes(Self.hash)
    }
    return TextID(rawValue: id)
  }

  /// The text of an id from this table.
  func text(_ id: TextID) -> String {
    guard Int(id.rawValue) + 1 < first.count else { return "" }
    return String(decoding: bytes[range(id.rawValue)], as: UTF8.self)
  }

  private func range(_ id: UInt32) -> Range<Int> { Int(first[Int(id)])..<Int(first[Int(id) + 1]) }

  private static func hash(_ text: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: text)
    return hasher.finalize()
  }
}

/// The attributes of a map, each once, numbered in the order of their first use.
struct AttributeTable {
  private var index = HashIndex()
  private(set) var records: [RoadAttributes] = []

  mutating func id(_ attributes: RoadAttributes) -> UInt32 {
    let known = index.id(hash: attributes.hashValue) { records[Int($0)] == attributes }
    if let known { return known }
    let id = UInt32(records.count)
    records.append(attributes)
    index.add(id) { [records] in records[Int($0)].hashValue }
    return id
  }
}
