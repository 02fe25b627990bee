/// One sentence of NMEA 0183 (IEC 61162-1): who speaks, of what, and its fields.
public struct NMEASentence: Hashable, Sendable {
  /// Who speaks: `GP` GPS, `GL` GLONASS, `GA` Galileo, `GB` BeiDou, `GN` several together.
  public var talker: String
  /// Of what: `GGA`, `RMC`.
  public var kind: String
  /// What lies between the commas behind the head; empty where nothing is told.
  public var fields: [String]

  /// Why a line is no sentence.
  public enum Fault: String, Error, Hashable, Sendable {
    /// No `$`, or no head of five letters.
    case notASentence = "not_a_sentence"
    case noChecksum = "no_checksum"
    case wrongChecksum = "wrong_checksum"
  }

  /// Reads a line from its `$` on, without what ends it.
  public init(_ line: some Collection<UInt8>) throws(Fault) {
    let line = Array(line)
    guard line.first == UInt8(ascii: "$"), line.allSatisfy({ (0x20..<0x7f).contains($0) }) else {
      throw .notASentence
    }
    guard let star = line.lastIndex(of: UInt8(ascii: "*")), star + 2 < line.count,
      line[(star + 3)...].allSatisfy({ $0 == 0x20 }),
      let told = UInt8(String(decoding: line[(star + 1)...(star + 2)], as: UTF8.self), radix: 16)
    else { throw .noChecksum }
    guard line[1..<star].reduce(0, ^) == told else { throw .wrongChecksum }
    let parts = line[1..<star].split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    guard let head = parts.first, head.utf8.count >= 4 else { throw .notASentence }
    // Sentences of a maker's own begin with P and have no talker.
    let cut = head.utf8.first == UInt8(ascii: "P") ? 1 : 2
    talker = String(head.prefix(cut))
    kind = String(head.dropFirst(cut))
    fields = Array(parts.dropFirst())
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

  /// Seconds of the day of `hhmmss.sss`; a leap second counts as the one behind it.
  func timeOfDayS(_ index: Int) -> Double? {
    guard let text = text(index), text.utf8.count >= 6,
      let hour = Int(text.prefix(2)), let minute = Int(text.dropFirst(2).prefix(2)),
      let second = Double(text.dropFirst(4)), (0..<24).contains(hour), (0..<60).contains(minute),
      (0..<61).contains(second)
    else { return nil }
    return Double(hour * 3600 + minute * 60) + second
  }

  /// Degrees of `dddmm.mmmm` with its hemisphere behind it; nil beyond `limit` degrees.
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

/// Cuts bytes of a receiver into sentences, however they come, and passes over what lies between.
public struct NMEASplitter: Sendable {
  /// Sentences have 82 characters by the standard; makers exceed that, noise much more.
  private static let longest = 512

  private var line: [UInt8] = []
  private var isInside = false

  public init() {}

  /// Takes bytes and gives the sentences that they end, or why a line was none.
  ///
  /// Binary protocols between the sentences are passed over in silence.
  public mutating func take(
    _ bytes: some Sequence<UInt8>
  ) -> [Result<NMEASentence, NMEASentence.Fault>] {
    var sentences: [Result<NMEASentence, NMEASentence.Fault>] = []
    for byte in bytes {
      if byte == UInt8(ascii: "$") {
        line.removeAll(keepingCapacity: true)
        isInside = true
      }
      guard isInside else { continue }
      if byte == 0x0d || byte == 0x0a {
        sentences.append(result())
      } else if (0x20..<0x7f).contains(byte), line.count < Self.longest {
        line.append(byte)
      } else {
        isInside = false
      }
    }
    return sentences
  }

  /// What the last line says where the bytes have ended without an end of the line.
  public mutating func finish() -> [Result<NMEASentence, NMEASentence.Fault>] {
    isInside ? [result()] : []
  }

  private mutating func result() -> Result<NMEASentence, NMEASentence.Fault> {
    isInside = false
    do throws(NMEASentence.Fault) {
      return .success(try NMEASentence(line))
    } catch {
      return .failure(error)
    }
  }
}
