public import BusProtocol
import Synchronization
import ZMQ

/// Receives everything that a broker accepts, in the order of acceptance.
///
/// All three functions are called on the broker's thread and block it. They must copy what they
/// keep into their own queue, and must never wait.
public protocol BrokerTap: AnyObject, Sendable {
  /// Called first, with the last value of each state and the counts of each topic so far.
  ///
  /// The values are in order of topic and key and are marked as latched.
  func start(latched: [Frame], topics: [TopicReport], brokerRun: UInt64, wallNS: Int64)

  /// Called for each accepted message; the bytes are borrowed for the duration of the call.
  func record(
    _ topic: UnsafeRawBufferPointer, _ header: UnsafeRawBufferPointer,
    _ payload: UnsafeRawBufferPointer, wallNS: Int64)

  /// Called last, also when the broker ends, with what was dropped before any tap could receive it.
  func end(_ figures: Broker.Figures, topics: [TopicReport])
}

/// Requests of other threads to a broker; they wait if no broker runs yet.
final class BrokerTapRequests: Sendable {
  enum Order: Sendable {
    case start(any BrokerTap)
    case stop(any BrokerTap)
  }

  private struct State {
    var waiting: [Order] = []
    var bell: ThreadWaker?
  }

  private let state = Mutex(State())

  /// Signals `bell` from now on when there are orders; immediately if there are some already.
  func open(_ bell: ThreadWaker) {
    state.withLock {
      $0.bell = bell
      if !$0.waiting.isEmpty { bell.signal() }
    }
  }

  func put(_ order: Order) {
    state.withLock {
      $0.waiting.append(order)
      $0.bell?.signal()
    }
  }

  func drain() -> [Order] {
    state.withLock {
      $0.bell?.drain()
      return moveOut(&$0.waiting)
    }
  }
}
