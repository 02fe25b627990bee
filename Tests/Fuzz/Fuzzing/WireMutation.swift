/// Spoils MessagePack value by value: what it gives is mostly well formed, and wrong.
public enum WireMutation {
  /// Applies one to four changes; `others` lend values of theirs.
  public static func spoil(
    _ bytes: inout [UInt8], with others: [[UInt8]], _ dice: inout Dice, longest: Int = 1 << 16
  ) {
    // Mostly one change: of several the first one hides the others.
    for _ in 0...(dice.oneIn(2) ? 0 : dice.below(4)) {
      if dice.oneIn(6) {
        ByteMutation.once(&bytes, with: others, &dice)
      } else {
        once(&bytes, with: others, &dice)
      }
    }
    if bytes.count > longest { bytes.removeLast(bytes.count - longest) }
  }

  private static func once(_ bytes: inout [UInt8], with others: [[UInt8]], _ dice: inout Dice) {
    let map = ValueMap(bytes)
    guard !map.starts.isEmpty else { return ByteMutation.once(&bytes, with: others, &dice) }
    let range = map.range(dice.below(map.starts.count))
    switch dice.below(12) {
    case 0: bytes.removeSubrange(range)
    case 1: bytes.insert(contentsOf: Array(bytes[range].prefix(4096)), at: range.lowerBound)
    case 2:
      let other = map.range(dice.below(map.starts.count))
      bytes.replaceSubrange(range, with: Array(bytes[other].prefix(4096)))
    case 3:
      guard !others.isEmpty else { return }
      let other = dice.pick(others)
      let places = ValueMap(other)
      guard !places.starts.isEmpty else { return }
      let piece = other[places.range(dice.below(places.starts.count))]
      bytes.replaceSubrange(range, with: piece.prefix(4096))
    case 4: bytes[range.lowerBound] = dice.byte()
    case 5, 6: bytes.replaceSubrange(range, with: strange(&dice))
    default: bytes.replaceSubrange(range, with: another(like: bytes[range.lowerBound], &dice))
    }
  }

  /// A value of the same kind, which is seldom a good one.
  private static func another(like first: UInt8, _ dice: inout Dice) -> [UInt8] {
    switch first {
    case 0xca, 0xcb: [0xcb] + bigEndian(strangeDouble(&dice).bitPattern, 8)
    case 0xa0...0xbf, 0xd9...0xdb: dice.pick(texts)
    case 0xc2, 0xc3: [dice.pick([0xc2, 0xc3])]
    case 0...0x7f, 0xcc...0xd3, 0xe0...0xff:
      dice.oneIn(2)
        ? [UInt8(dice.below(128))] : [0xcf] + bigEndian(ByteMutation.extreme(&dice), 8)
    default: strange(&dice)
    }
  }

  /// A value that is seldom expected.
  private static func strange(_ dice: inout Dice) -> [UInt8] {
    switch dice.below(12) {
    case 0: return [0xc0]
    case 1: return [dice.pick([0xcf, 0xd3])] + bigEndian(ByteMutation.extreme(&dice), 8)
    case 2: return [dice.pick([0xce, 0xd2])] + bigEndian(ByteMutation.extreme(&dice), 4)
    case 3: return [0xcb] + bigEndian(strangeDouble(&dice).bitPattern, 8)
    case 4: return [0xca] + bigEndian(UInt64(Float(strangeDouble(&dice)).bitPattern), 4)
    // Lengths that no input has.
    case 5:
      return [dice.pick([0xdb, 0xc6, 0xdd, 0xdf, 0xc9])]
        + bigEndian(dice.pick([0xffff_ffff, 0x7fff_ffff, 0x8000_0000, 0x10000, 1 << 20]), 4)
    case 6:
      return [dice.pick([0xda, 0xc5, 0xdc, 0xde, 0xc8])]
        + bigEndian(dice.pick([0xffff, 0x8000]), 2)
    // Deeper than anything means to go.
    case 7:
      let depth = dice.pick([10, 31, 32, 33, 100, 5_000])
      let level: [UInt8] = dice.oneIn(2) ? [0x91] : [0x81, 0xa1, 0x61]
      return (0..<depth).flatMap { _ in level } + [0xc0]
    case 8: return dice.pick(texts)
    case 9: return [0xc1]
    case 10:
      // A packed column of any bytes.
      let count = dice.below(40)
      return [0xc4, UInt8(count)] + (0..<count).map { _ in dice.byte() }
    default: return [dice.byte()]
    }
  }

  /// Strings: no UTF-8, empty, long, with a zero, and names that mean something here.
  private static let texts: [[UInt8]] =
    [[0xa2, 0xc3, 0x28], [0xa3, 0xed, 0xa0, 0x80], [0xa0], [0xa3, 0x61, 0x00, 0x62]]
    + [
      "", "/", "//", "_", "ego", "ego/", "_bus", "_bus/sync/x", "nav-bus", "<name>", "..", "nan",
      String(repeating: "a", count: 300), String(repeating: "~?", count: 3_000),
    ].map(string)

  static func string(_ text: String) -> [UInt8] {
    [0xdb] + bigEndian(UInt64(text.utf8.count), 4) + Array(text.utf8)
  }

  private static func strangeDouble(_ dice: inout Dice) -> Double {
    dice.pick([
      .nan, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, 9.3e18, -9.3e18, 1e-300, 90, 180, -180, 360,
    ])
  }

  private static func bigEndian(_ value: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (width - 1 - $0))) }
  }
}
