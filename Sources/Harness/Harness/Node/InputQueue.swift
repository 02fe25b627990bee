import BusClient
import BusProtocol

/// The input of a node in the order in which it is handled.
///
/// Input that waited for the end of a handover precedes the input in the inbox.
final class InputQueue {
  /// Input that is handled before the input in the inbox.
  private var kept = KeptEvents()
  /// Input that waits for the end of a handover.
  private var held = KeptEvents()
  private let client: BusClient

  init(client: BusClient) { self.client = client }

  /// Whether no input is left except what waits for the end of a handover.
  var isEmpty: Bool { client.queueLength == 0 && kept.isEmpty }

  /// Whether the input that waits for the end of a handover exceeds the limit.
  var isOverfull: Bool { held.isOverfull }

  /// Removes and returns the oldest event.
  func next() -> BusEvent? {
    guard !kept.isEmpty else { return client.next() }
    // Waiting events precede those in the inbox, which is emptied so that nothing is dropped there.
    while let event = client.next() { kept.append(event) }
    return kept.popFirst()
  }

  /// Keeps an event until the handover has ended.
  func hold(_ event: BusEvent) { held.append(event) }

  /// Handles what has waited for the end of the handover next.
  func releaseHeld() { kept.putBefore(&held) }

  /// Drops what has waited for vehicles that another process has from now on.
  func dropHeld(of slots: SlotSet) { held.drop { slots.contains(vehicle: $0) } }

  /// Adds messages that are handled before those in the inbox.
  func append(_ deliveries: [Delivery]) {
    for delivery in deliveries { kept.append(.message(delivery)) }
  }

  /// Drops the messages of vehicles that this process does not get after all.
  func drop(_ slots: SlotSet) { kept.drop { slots.contains(vehicle: $0) } }
}
