import Geodesy

/// Coordinates as people write them: `47.1, 9.5`, `N47.1 E9.5`, `47°06'36"N 9°30'E`.
enum CoordinateText {
  /// The coordinate in a text, latitude first; nil for any other text.
  static func coordinate(_ text: String) -> Coordinate? {
    var numbers: [(value: Double, letter: Character?)] = []
    var parts: [Double] = []
    var letter: Character?
    var digits = ""
    func number() -> Double? { digits.isEmpty ? nil : Double(digits) }
    func close() -> Bool {
      if !digits.isEmpty {
        guard let value = number() else { return false }
        parts.append(value)
        digits = ""
      }
      guard let value = degrees(parts) else { return parts.isEmpty }
      numbers.append((value, letter))
      parts = []
      letter = nil
      return true
    }
    for character in text.uppercased() {
      switch character {
      case "0"..."9", ".": digits.append(character)
      case "-", "+":
        guard digits.isEmpty, parts.isEmpty || close() else { return nil }
        digits.append(character)
      case "\u{B0}", "'", "\u{2032}", "\"", "\u{2033}", "\u{2019}":
        guard let value = number() else { return nil }
        parts.append(value)
        digits = ""
      case "N", "S", "E", "W":
        if digits.isEmpty, parts.isEmpty {
          guard letter == nil else { return nil }
          letter = character
        } else {
          letter = letter ?? character
          guard close() else { return nil }
        }
      case ",", ";":
        guard close() else { return nil }
      case " ", "\t":
        if !digits.isEmpty, parts.isEmpty { guard close() else { return nil } }
      default: return nil
      }
    }
    guard close(), numbers.count == 2 else { return nil }
    return place(numbers)
  }

  /// Degrees, minutes and seconds as one number.
  private static func degrees(_ parts: [Double]) -> Double? {
    guard let first = parts.first, parts.count <= 3,
      parts.dropFirst().allSatisfy({ (0..<60).contains($0) })
    else { return nil }
    let more = parts.dropFirst().enumerated().reduce(0.0) {
      $0 + $1.element / ($1.offset == 0 ? 60 : 3600)
    }
    return first.sign == .minus ? first - more : first + more
  }

  private static func place(_ numbers: [(value: Double, letter: Character?)]) -> Coordinate? {
    var (latitude, longitude) = (numbers[0], numbers[1])
    if latitude.letter == "E" || latitude.letter == "W" { swap(&latitude, &longitude) }
    if let letter = latitude.letter, letter != "N", letter != "S" { return nil }
    if let letter = longitude.letter, letter != "E", letter != "W" { return nil }
    let place = Coordinate(
      latitudeDeg: latitude.letter == "S" ? -latitude.value : latitude.value,
      longitudeDeg: longitude.letter == "W" ? -longitude.value : longitude.value)
    return place.isValid ? place : nil
  }

  /// A text with six decimals, latitude first.
  static func text(_ place: Coordinate) -> String {
    func number(_ value: Double) -> String {
      let scaled = Int((value * 1e6).rounded())
      let digits = "\(abs(scaled) % 1_000_000)"
      return (scaled < 0 ? "-" : "") + "\(abs(scaled) / 1_000_000)."
        + String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }
    return "\(number(place.latitudeDeg)), \(number(place.longitudeDeg))"
  }
}
