/// One sentence of NMEA 0183 (IEC 61162-1): its talker, its type and its fields.
public struct NMEASentence: Hashable, Sendable {
  /// The talker: `GP` GPS, `GL` GLONASS, `GA` Galileo, `GB` BeiDou, `GN` several together.
  public var talker: String
  /// The sentence type: `GGA`, `RMC`.
  public var kind: String
  /// The text between the commas after the head; empty for missing values.
  public var fields: [String]

  /// Why a line is not a sentence.
  public enum Fault: String, Error, Hashable, Sendable {
    /// No `$`, or no head of five letters.
    case notASentence = "not_a_sentence"
    case noChecksum = "no_checksum"
    case wrongChecksum = "wrong_checksum"
  }

  /// Parses a line that begins with `$`, without its line ending.
  ///
  /// Text that loggers append after the checksum is ignored.
  ///
  /// - Throws: `Fault`; a missing checksum is a fault only where one is required.
  public init(
    _ line: some Collection<UInt8>, requiresChecksum: Bool = true
  ) throws(Fault) {
    let line = Array(line)
    guard line.first == UInt8(ascii: "$"), line.allSatisfy({ (0x20..<0x7f).contains($0) }) else {
      throw .notASentence
    }
    let star = try Self.end(of: line, requiresChecksum: requiresChecksum)
    let parts = line[1..<star].split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    guard let head = parts.first, head.utf8.count >= 4,
      requiresChecksum
        || head.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) })
    else { throw .notASentence }
    // Proprietary sentences begin with P and have no talker.
    let cut = head.utf8.first == UInt8(ascii: "P") ? 1 : 2
    talker = String(head.prefix(cut))
    kind = String(head.dropFirst(cut))
    fields = Array(parts.dropFirst())
  }

  /// Returns the index of the checksum's `*`, or the end of a sentence that needs none.
  private static func end(of line: [UInt8], requiresChecksum: Bool) throws(Fault) -> Int {
    var sum: UInt8 = 0
    var hasChecksum = false
    var firstStar: Int?
    for index in line.indices.dropFirst() {
      if line[index] == UInt8(ascii: "*") {
        firstStar = firstStar ?? index
        if index + 2 < line.count,
          let reported = UInt8(
            String(decoding: line[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
        {
          if reported == sum { return index }
          hasChecksum = true
        }
      }
      sum ^= line[index]
    }
    if hasChecksum { throw .wrongChecksum }
    guard !requiresChecksum else { throw .noChecksum }
    return firstStar ?? line.count
  }

  func text(_ index: Int) -> String? {
    index < fields.count && !fields[index].isEmpty ? fields[index] : nil
  }

  func number(_ index: Int) -> Double? {
    guard let text = text(index), text.utf8.count <= 20, let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  func integer(_ index: Int) -> Int? { text(index).flatMap { Int($0) } }

  /// Seconds of the day of `hhmmss.sss`; a leap second counts as the second after it.
  func timeOfDayS(_ index: Int) -> Double? {
    guard let text = text(index), text.utf8.count >= 6,
      let hour = Int(text.prefix(2)), let minute = Int(text.dropFirst(2).prefix(2)),
      let second = Double(text.dropFirst(4)), (0..<24).contains(hour), (0..<60).contains(minute),
      (0..<61).contains(second)
    else { return nil }
    return Double(hour * 3600 + minute * 60) + second
  }

  /// Degrees of `dddmm.mmmm` followed by its hemisphere; nil beyond `limit` degrees.
  func degrees(_ index: Int, limit: Double) -> Double? {
    guard let value = number(index), value >= 0, let side = text(index + 1) else { return nil }
    let whole = (value / 100).rounded(.down)
    let minutes = value - whole * 100
    let degrees = whole + minutes / 60
    guard minutes < 60, degrees <= limit else { return nil }
    switch side {
    case "N", "E": return degrees
    case "S", "W": return -degrees
    default: return nil
    }
  }
}

/// Splits the bytes of a receiver into sentences, in chunks of any size, and skips other data.
public struct NMEASplitter: Sendable {
  /// Standard sentences have up to 82 characters; vendors exceed that slightly, noise by far.
  private static let longest = 512

  private let requiresChecksum: Bool
  private var line: [UInt8] = []
  private var isInside = false

  public init(requiresChecksum: Bool = true) { self.requiresChecksum = requiresChecksum }

  /// Processes bytes and returns the sentences that they complete, or why a line was not a
  /// sentence.
  ///
  /// Binary protocols between the sentences are skipped silently.
  public mutating func process(
    _ bytes: some Sequence<UInt8>
  ) -> [Result<NMEASentence, NMEASentence.Fault>] {
    var sentences: [Result<NMEASentence, NMEASentence.Fault>] = []
    for byte in bytes {
      if byte == UInt8(ascii: "$") {
        if let sentence = whole() { sentences.append(.success(sentence)) }
        line.removeAll(keepingCapacity: true)
        isInside = true
      }
      guard isInside else { continue }
      if byte == 0x0d || byte == 0x0a {
        sentences.append(result())
      } else if byte == 0x09 || (0x20..<0x7f).contains(byte), line.count < Self.longest {
        line.append(byte == 0x09 ? 0x20 : byte)
      } else {
        if let sentence = whole() { sentences.append(.success(sentence)) }
        isInside = false
      }
    }
    return sentences
  }

  /// The result of the last line if the bytes end without a line ending.
  public mutating func finish() -> [Result<NMEASentence, NMEASentence.Fault>] {
    isInside ? [result()] : []
  }

  /// The complete sentence in the current line, even if no line ending follows it.
  private func whole() -> NMEASentence? {
    guard isInside, line.contains(UInt8(ascii: "*")) else { return nil }
    return try? NMEASentence(line)
  }

  private mutating func result() -> Result<NMEASentence, NMEASentence.Fault> {
    isInside = false
    do throws(NMEASentence.Fault) {
      return .success(try NMEASentence(line, requiresChecksum: requiresChecksum))
    } catch {
      return .failure(error)
    }
  }
}
