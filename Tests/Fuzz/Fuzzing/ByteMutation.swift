/// Spoils bytes without knowing what they mean.
public enum ByteMutation {
  /// Applies one to four changes; `others` lend pieces of themselves.
  public static func spoil(
    _ bytes: inout [UInt8], with others: [[UInt8]], _ dice: inout Dice, longest: Int = 1 << 16
  ) {
    for _ in 0...(dice.oneIn(2) ? 0 : dice.below(4)) { once(&bytes, with: others, &dice) }
    if bytes.count > longest { bytes.removeLast(bytes.count - longest) }
  }

  static func once(_ bytes: inout [UInt8], with others: [[UInt8]], _ dice: inout Dice) {
    guard !bytes.isEmpty else {
      bytes = (0..<dice.below(40)).map { _ in dice.byte() }
      return
    }
    let place = dice.below(bytes.count)
    switch dice.below(9) {
    case 0: bytes[place] ^= 1 << UInt8(dice.below(8))
    case 1: bytes[place] = dice.byte()
    case 2: bytes[place] = dice.pick([0, 1, 0x7f, 0x80, 0xff, 0xfe])
    case 3: bytes.insert(dice.byte(), at: place)
    case 4: bytes.remove(at: place)
    case 5: bytes.removeLast(bytes.count - place)
    case 6:
      let piece = Array(bytes[place..<min(bytes.count, place + 1 + dice.below(64))])
      bytes.insert(contentsOf: piece, at: dice.below(bytes.count))
    case 7:
      let width = dice.pick([2, 4, 8])
      guard place + width <= bytes.count else { return }
      let number = extreme(&dice)
      for index in 0..<width {
        bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index))
      }
    default:
      guard !others.isEmpty else { return }
      let other = dice.pick(others)
      guard !other.isEmpty else { return }
      let start = dice.below(other.count)
      bytes.replaceSubrange(place..., with: other[start...])
    }
  }

  /// A number at an edge of something.
  public static func extreme(_ dice: inout Dice) -> UInt64 {
    let edge = dice.pick([0, 7, 8, 15, 16, 31, 32, 53, 62, 63, 64])
    let number: UInt64 = edge == 64 ? 0 : 1 << UInt64(edge)
    switch dice.below(5) {
    case 0: return number &- 1
    case 1: return number &+ 1
    case 2: return 0 &- number
    default: return number
    }
  }
}
