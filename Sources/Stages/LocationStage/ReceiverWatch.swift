/// Monitors the connection to one receiver: when to probe it, when to reconnect, and what is wrong.
///
/// A connection whose other side has vanished sends nothing, so that silence is the only sign. It
/// has no side effects: seconds come from any clock that never goes back.
public struct ReceiverWatch: Sendable {
  /// The action for a silent connection.
  public enum Advice: Hashable, Sendable {
    case wait
    /// A gpsd without a receiver sends nothing by itself, but answers.
    case ask
    case reconnect
  }

  /// Seconds of silence after which a connection counts as dead; receivers send once a second.
  public static let silenceS = 30.0
  private static let askS = 15.0
  private static let firstPauseS = 0.5
  private static let longestPauseS = 10.0

  private let address: ReceiverAddress
  private var heardS = 0.0
  private var hasAsked = false
  private var pauseS = firstPauseS
  /// The problem as a sentence; nil while bytes arrive.
  public private(set) var trouble: String?

  public init(_ address: ReceiverAddress) { self.address = address }

  /// Records that the connection is open; only bytes show whether a receiver is sending.
  public mutating func connected(atS nowS: Double) {
    heardS = nowS
    hasAsked = false
    if trouble != nil { trouble = "\(address.text): connected, no data yet" }
  }

  /// Records that bytes arrived.
  public mutating func heard(atS nowS: Double) {
    heardS = nowS
    hasAsked = false
    trouble = nil
    pauseS = Self.firstPauseS
  }

  /// Returns the action after nothing arrived.
  public mutating func idle(atS nowS: Double) -> Advice {
    let silentS = nowS - heardS
    if silentS >= Self.silenceS {
      trouble = "\(address.text): no data for \(Int(Self.silenceS)) s"
      // Datagrams have no connection that could be reopened.
      if case .udp = address.link { return .wait }
      return .reconnect
    }
    guard case .gpsd = address.link, silentS >= Self.askS, !hasAsked else { return .wait }
    hasAsked = true
    return .ask
  }

  /// Records that the connection could not be opened or has ended.
  public mutating func lost(_ sentence: String) { trouble = sentence }

  /// Returns the seconds to wait before reconnecting, which double with each unsuccessful attempt.
  public mutating func nextPauseS() -> Double {
    defer { pauseS = min(2 * pauseS, Self.longestPauseS) }
    return pauseS
  }
}
