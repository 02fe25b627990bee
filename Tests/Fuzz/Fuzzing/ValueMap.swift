/// Where the values of MessagePack bytes begin; an own reader, so that it shares no defect.
struct ValueMap {
  /// First byte of each value, keys among them, in order.
  private(set) var starts: [Int] = []
  /// How many values each one holds: 0 for all but lists and maps.
  private var held: [Int] = []
  private let count: Int

  /// Goes as far as the bytes make sense.
  init(_ bytes: [UInt8]) {
    count = bytes.count
    var offset = 0
    while offset < bytes.count {
      guard let (header, content, inner) = Self.head(bytes, offset) else { return }
      starts.append(offset)
      held.append(inner)
      guard content <= bytes.count - offset - header else { return }
      offset += header + content
    }
  }

  /// The bytes of the value with this index, whatever it holds.
  func range(_ index: Int) -> Range<Int> {
    var open = 1
    var next = index
    while open > 0, next < starts.count {
      open += min(held[next], count) - 1
      next += 1
    }
    return starts[index]..<(next < starts.count ? starts[next] : count)
  }

  private static func head(_ bytes: [UInt8], _ at: Int) -> (header: Int, content: Int, inner: Int)?
  {
    func number(_ width: Int) -> Int? {
      guard at + width < bytes.count else { return nil }
      return bytes[(at + 1)...(at + width)].reduce(0) { $0 << 8 | Int($1) }
    }
    switch bytes[at] {
    case 0x80...0x8f: return (1, 0, 2 * Int(bytes[at] & 15))
    case 0x90...0x9f: return (1, 0, Int(bytes[at] & 15))
    case 0xa0...0xbf: return (1, Int(bytes[at] & 31), 0)
    case 0xc4, 0xd9: return number(1).map { (2, $0, 0) }
    case 0xc5, 0xda: return number(2).map { (3, $0, 0) }
    case 0xc6, 0xdb: return number(4).map { (5, $0, 0) }
    case 0xc7: return number(1).map { (3, $0, 0) }
    case 0xc8: return number(2).map { (4, $0, 0) }
    case 0xc9: return number(4).map { (6, $0, 0) }
    case 0xcc, 0xd0: return (2, 0, 0)
    case 0xcd, 0xd1: return (3, 0, 0)
    case 0xca, 0xce, 0xd2: return (5, 0, 0)
    case 0xcb, 0xcf, 0xd3: return (9, 0, 0)
    case 0xd4...0xd8: return (2, 1 << Int(bytes[at] - 0xd4), 0)
    case 0xdc: return number(2).map { (3, 0, $0) }
    case 0xdd: return number(4).map { (5, 0, $0) }
    case 0xde: return number(2).map { (3, 0, 2 * $0) }
    case 0xdf: return number(4).map { (5, 0, 2 * $0) }
    default: return (1, 0, 0)
    }
  }
}
