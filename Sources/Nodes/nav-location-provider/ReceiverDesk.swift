import EventTime
import Foundation
import Harness
import LocationStage
import Messages
import Stage
import Synchronization

/// Reads receivers beside the stage, each on a thread of its own, and publishes their fixes.
///
/// A link that is lost is made again, after half a second at first and ten seconds at last. The
/// matcher chooses among the receivers (LOC-2).
final class ReceiverDesk: NodeAttachment {
  private let addresses: [ReceiverAddress]
  private let isStopping = Mutex(false)
  /// What is wrong, by receiver.
  private let troubles = Mutex<[String: String]>([:])

  /// Bytes are waited for in pieces of this, so that a stop is heard soon.
  private static let patienceMS: Int32 = 200
  private static let firstPauseS = 0.5
  private static let longestPauseS = 10.0

  init(_ addresses: [ReceiverAddress]) { self.addresses = addresses }

  func start(_ node: any NodeHandle) throws(StageFailure) {
    for address in addresses {
      let thread = Thread { self.serve(address, node) }
      thread.name = "receiver"
      thread.start()
    }
  }

  func stop() { isStopping.withLock { $0 = true } }

  private var isDone: Bool { isStopping.withLock { $0 } }

  private func serve(_ address: ReceiverAddress, _ node: any NodeHandle) {
    var pauseS = Self.firstPauseS
    while !isDone {
      do throws(ReceiverLink.Failure) {
        let link = try ReceiverLink(address.link)
        note(nil, of: address, node)
        node.log(.info, "\(address.text): connected")
        if try read(link, address, node) { pauseS = Self.firstPauseS }
      } catch {
        note(error.sentence, of: address, node)
      }
      let until = Date().addingTimeInterval(pauseS)
      while !isDone, Date() < until { Thread.sleep(forTimeInterval: 0.05) }
      pauseS = min(2 * pauseS, Self.longestPauseS)
    }
  }

  /// Reads until the link is lost; whether anything came.
  private func read(
    _ link: borrowing ReceiverLink, _ address: ReceiverAddress, _ node: any NodeHandle
  ) throws(ReceiverLink.Failure) -> Bool {
    var stream = ReceiverStream(
      address, today: Instant(seconds: Date().timeIntervalSince1970))
    var told: [String: Int] = [:]
    var isHeard = false
    if case .gpsd(_, _, let device) = address.link {
      try link.write(GPSDSession.watch(device: device))
    }
    while !isDone {
      guard let bytes = try link.read(waitingMS: Self.patienceMS) else {
        note("\(address.text): the other side has closed", of: address, node)
        return isHeard
      }
      guard !bytes.isEmpty else { continue }
      isHeard = true
      for (time, payload) in stream.take(bytes) {
        node.publish(
          topic: LocationRaw.topic,
          stamp: time ?? node.now ?? Instant(seconds: Date().timeIntervalSince1970),
          payload: payload, key: nil, ttlMS: nil, cause: nil, vehicle: node.vehicle)
      }
      for (name, count) in stream.counts where count != told[name] ?? 0 {
        node.count("\(address.text) \(name)", by: count - (told[name] ?? 0))
        told[name] = count
      }
    }
    return isHeard
  }

  private func note(_ trouble: String?, of address: ReceiverAddress, _ node: any NodeHandle) {
    let all = troubles.withLock { troubles in
      troubles[address.text] = trouble
      return troubles
    }
    node.setDegraded(
      all.isEmpty ? nil : all.sorted { $0.key < $1.key }.map(\.value).joined(separator: "; "))
  }
}
