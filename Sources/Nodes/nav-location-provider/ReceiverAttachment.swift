import CLinux
import Dispatch
import Foundation
import Foundations
import Harness
import LocationStage
import Messages
import Stage
import Synchronization

/// Reads receivers outside the stage, each on its own thread, and publishes their fixes.
///
/// A link that is lost or silent is opened again, at first after half a second and finally after
/// ten seconds. The matcher chooses among the receivers (LOC-2).
final class ReceiverAttachment: NodeAttachment {
  private let addresses: [ReceiverAddress]
  private let settings: LocationSettings
  private let isStopping = Mutex(false)
  /// Signalled once per receiver at the stop, so that a pausing thread wakes at once.
  private let ends = DispatchSemaphore(value: 0)
  /// The problems by receiver.
  private let troubles = Mutex<[String: String]>([:])

  /// Maximum time of one wait for bytes, so that a stop is noticed soon.
  private static let patienceMS: Int32 = 200

  init(_ settings: LocationSettings) {
    self.settings = settings
    addresses = settings.receivers
  }

  func start(_ node: any NodeHandle) throws(StageFailure) {
    for address in addresses {
      let thread = Thread { self.serve(address, node) }
      thread.name = "receiver"
      thread.start()
    }
  }

  func stop() {
    isStopping.withLock { $0 = true }
    for _ in addresses { ends.signal() }
  }

  private var isDone: Bool { isStopping.withLock { $0 } }

  private func serve(_ address: ReceiverAddress, _ node: any NodeHandle) {
    var watch = ReceiverWatch(address)
    while !isDone {
      do throws(ReceiverLink.Failure) {
        let link = try ReceiverLink(address.link)
        watch.connected(atS: Self.nowS)
        node.log(.info, "\(address.text): connected")
        try read(link, address, &watch, node)
      } catch {
        watch.lost(error.sentence)
      }
      report(watch.trouble, of: address, node)
      // The loop's condition checks whether the pause ended or the stop came.
      _ = ends.wait(timeout: .now() + watch.nextPauseS())
    }
  }

  /// Reads until the link is lost or given up.
  private func read(
    _ link: borrowing ReceiverLink, _ address: ReceiverAddress, _ watch: inout ReceiverWatch,
    _ node: any NodeHandle
  ) throws(ReceiverLink.Failure) {
    var stream = settings.stream(
      of: address, today: Instant(seconds: Date().timeIntervalSince1970))
    var reported: [String: Int] = [:]
    if case .gpsd(_, _, let device) = address.link {
      try link.write(GPSDSession.watch(device: device))
    }
    while !isDone {
      report(watch.trouble ?? stream.complaint, of: address, node)
      guard let bytes = try link.read(waitingMS: Self.patienceMS) else {
        watch.lost("\(address.text): the remote side closed the connection")
        return
      }
      guard !bytes.isEmpty else {
        switch watch.idle(atS: Self.nowS) {
        case .wait: continue
        case .ask: try link.write(GPSDSession.question)
        case .reconnect: return
        }
        continue
      }
      watch.heard(atS: Self.nowS)
      for (time, message) in stream.process(bytes) {
        node.publish(
          topic: LocationRaw.topic,
          stamp: time ?? node.now ?? Instant(seconds: Date().timeIntervalSince1970),
          payload: message.encoded(), key: nil, ttlMS: nil, cause: nil, vehicle: node.vehicle)
      }
      for (name, count) in stream.counts where count != reported[name] ?? 0 {
        node.count("\(address.text) \(name)", by: count - (reported[name] ?? 0))
        reported[name] = count
      }
    }
  }

  private static var nowS: Double { Double(clinux_monotonic_ns()) / 1e9 }

  private func report(_ trouble: String?, of address: ReceiverAddress, _ node: any NodeHandle) {
    troubles.withLock { troubles in
      guard troubles[address.text] != trouble else { return }
      troubles[address.text] = trouble
      // Reported under the lock, so that of two receivers the later report is the last.
      node.setDegraded(
        troubles.isEmpty
          ? nil : troubles.sorted { $0.key < $1.key }.map(\.value).joined(separator: "; "))
    }
  }
}
