import BusClient
import BusProtocol
import Foundation
public import HTTP
import MessagePack
import Messages

/// Sends the locations of all vehicles of a stack once per second, while somebody looks.
///
/// It reads `location/matched` of all vehicles through a bus client of its own, on a thread of its own.
/// Nothing is subscribed to, and no thread exists, while it is closed.
public final class FleetFeed: Sendable {
  /// Sends a message to the browsers; `name` identifies the earlier message that it replaces.
  public typealias Publish = @Sendable (_ message: LiveFrame, _ name: String) -> Void

  /// Milliseconds between two frames.
  static let intervalMS: Int64 = 1_000
  /// Milliseconds between two looks at what has arrived.
  private static let drainMS: Int64 = 100

  private let thread: OnDemandThread

  public init(_ bus: ObservedBus, publish: @escaping Publish) {
    thread = OnDemandThread("fleet feed") { isWanted in
      Self.run(bus, publish, isWanted: isWanted)
    }
  }

  /// Starts to subscribe and to send; once more, all names are sent again.
  public func open() { thread.start() }
  public func close() { thread.stop() }

  private static func run(
    _ bus: ObservedBus, _ publish: Publish, isWanted: @escaping @Sendable () -> Bool
  ) {
    guard let client = bus.connect("fleet", streamDepth: 1, isWanted: isWanted) else {
      // The address cannot be used, which the node itself reports; or no browser looks any more.
      Thread.sleep(forTimeInterval: 0.25)
      return
    }
    defer { client.close() }
    client.subscribe(["*/\(LocationMatched.topic)"])
    var table = FleetTable()
    var due = MonotonicTime.now.advanced(byMS: intervalMS / 4)
    while isWanted() {
      while let event = client.next() {
        guard case .message(let delivery) = event, let vehicle = delivery.vehicle,
          !delivery.payload.isEmpty,
          // A message that violates the contract is the fault of its writer, which the matcher reports.
          let fix = try? FleetFix(decoding: delivery.payload)
        else { continue }
        table.ingest(fix, of: vehicle, at: delivery.arrival)
      }
      let now = MonotonicTime.now
      if now >= due {
        due = max(due.advanced(byMS: intervalMS), now)
        table.age(now: now)
        send(&table, publish)
      }
      // The queue keeps one message per vehicle: nothing is lost, and one wake reads many.
      Thread.sleep(forTimeInterval: Double(drainMS) / 1e3)
    }
  }

  private static func send(_ table: inout FleetTable, _ publish: Publish) {
    for (number, names) in table.drainBlocks() {
      let text = MessagePackValue.map([
        .init("topic", .string("fleet/names")),
        .init(
          "payload",
          .map([
            .init("from", .int(Int64(number * FleetTable.blockSize))),
            .init("names", .array(names.map { .string($0) })),
          ])),
      ]).json()
      publish(.text(text), "fleet/names \(number)")
    }
    let frame = table.frame(sentMS: ProcessInfo.processInfo.systemUptime * 1_000)
    publish(.binary(frame), "fleet/frame")
  }
}
