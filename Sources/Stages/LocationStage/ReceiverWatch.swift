/// Judges the line to one receiver by what comes over it: when to ask, when to give it up, and what is wrong.
///
/// A connection whose other side has vanished says nothing at all, so that silence is the only sign. Pure: seconds
/// are those of any clock that never goes back.
public struct ReceiverWatch: Sendable {
  /// What to do with a line on which nothing has come.
  public enum Advice: Hashable, Sendable {
    case wait
    /// A gpsd without a receiver has nothing to say of its own, but answers.
    case ask
    case reconnect
  }

  /// Seconds of silence after which a line is taken for dead; receivers speak once a second.
  public static let silenceS = 30.0
  private static let askS = 15.0
  private static let firstPauseS = 0.5
  private static let longestPauseS = 10.0

  private let address: ReceiverAddress
  private var heardS = 0.0
  private var hasAsked = false
  private var pauseS = firstPauseS
  /// What is wrong, as a sentence; nil while bytes come.
  public private(set) var trouble: String?

  public init(_ address: ReceiverAddress) { self.address = address }

  /// The line is open; whether a receiver speaks on it only bytes tell.
  public mutating func connected(atS nowS: Double) {
    heardS = nowS
    hasAsked = false
    if trouble != nil { trouble = "\(address.text): connected, nothing has come yet" }
  }

  /// Bytes have come.
  public mutating func heard(atS nowS: Double) {
    heardS = nowS
    hasAsked = false
    trouble = nil
    pauseS = Self.firstPauseS
  }

  /// Nothing has come since.
  public mutating func idle(atS nowS: Double) -> Advice {
    let silentS = nowS - heardS
    if silentS >= Self.silenceS {
      trouble = "\(address.text): nothing has come for \(Int(Self.silenceS)) s"
      // Datagrams have no line that could be made again.
      if case .udp = address.link { return .wait }
      return .reconnect
    }
    guard case .gpsd = address.link, silentS >= Self.askS, !hasAsked else { return .wait }
    hasAsked = true
    return .ask
  }

  /// The line could not be opened, or has ended.
  public mutating func lost(_ sentence: String) { trouble = sentence }

  /// Seconds to wait before the line is opened again; twice as long with each try that brought nothing.
  public mutating func nextPauseS() -> Double {
    defer { pauseS = min(2 * pauseS, Self.longestPauseS) }
    return pauseS
  }
}
