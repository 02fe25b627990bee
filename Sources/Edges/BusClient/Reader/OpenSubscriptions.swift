import BusProtocol
import Synchronization

/// The subscriptions that are not in place yet, and other work that waits for an echo over the
/// egress.
struct OpenSubscriptions {
  private struct Entry {
    /// Snapshot and history that are not delivered yet.
    var waitsFor: Set<UInt64>
    /// The echo that confirms the subscriptions; 0 until it was requested.
    var syncToken: UInt64 = 0
    var whenReady: @Sendable () -> Void

    func isInPlace(_ heardSync: UInt64) -> Bool {
      waitsFor.isEmpty && syncToken > 0 && syncToken <= heardSync
    }
  }

  /// Milliseconds between requests of an echo.
  private static let syncMS: Int64 = 20

  private let client: BusClient
  private var entries: [Entry] = []
  private var heardSync: UInt64 = 0
  private var nextSync = MonotonicTime(nanoseconds: 0)
  private var tailRound: UInt64 = 0

  init(_ client: BusClient) { self.client = client }

  var isEmpty: Bool { entries.isEmpty }

  /// Calls `whenReady` when the requests in `waitsFor` have ended and an echo has arrived.
  mutating func add(waitsFor: Set<UInt64> = [], whenReady: @escaping @Sendable () -> Void) {
    entries.append(Entry(waitsFor: waitsFor, whenReady: whenReady))
  }

  /// Records that a request has ended and is delivered.
  mutating func endRequest(_ token: UInt64) {
    for index in entries.indices { entries[index].waitsFor.remove(token) }
  }

  /// Requests an echo over the egress, if one is due.
  mutating func requestSync(
    _ requests: inout PendingRequests, over control: borrowing ControlSocket, now: MonotonicTime
  ) {
    guard !entries.isEmpty, now >= nextSync else { return }
    nextSync = now.advanced(byMS: Self.syncMS)
    let token = requests.makeToken()
    for index in entries.indices where entries[index].syncToken == 0 {
      entries[index].syncToken = token
    }
    control.send(
      ControlMessage.Sync(token: token, name: client.configuration.name, run: client.run))
  }

  /// Handles an echo over the egress.
  mutating func handleEcho(_ payload: [UInt8]) {
    guard case .sync(let echo)? = try? ControlMessage(decoding: payload) else { return }
    // A standby has the same name and its own numbers.
    if let run = echo.run, run != client.run { return }
    heardSync = max(heardSync, echo.token)
  }

  /// Completes the subscriptions that are in place.
  mutating func completeReady() {
    guard !entries.isEmpty else { return }
    for entry in entries where entry.isInPlace(heardSync) { entry.whenReady() }
    let heard = heardSync
    entries.removeAll { $0.isInPlace(heard) }
  }

  /// Handles the broker's report of the numbers that silent topics have reached.
  ///
  /// A message that has not arrived by the time an echo arrives is missing. No later message of
  /// the topic would reveal that.
  mutating func handleTails(_ tails: [Origin]) {
    guard !tails.isEmpty else { return }
    tailRound += 1
    let round = tailRound
    let isMissing = client.reception.withLock { reception in
      tails.reduce(false) { reception.record(Tail($1), round: round) || $0 }
    }
    guard isMissing else { return }
    add { [client] in client.reception.withLock { $0.settle(round) } }
  }
}
