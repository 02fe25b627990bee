import Synchronization

/// Hears everything that a broker accepts, in the order in which it accepts it.
///
/// All three functions are called on the broker's thread, which nothing else can do meanwhile: they
/// copy what they want to keep into a queue of their own, and never wait.
public protocol BrokerTap: AnyObject, Sendable {
  /// Comes first: the last value of each state, in order of topic and key, marked as latched, and
  /// what was counted of each topic before.
  func begin(latched: [Frame], topics: [TopicReport], brokerRun: UInt64, wallNS: Int64)

  /// A message that was accepted; the bytes are borrowed for the length of the call.
  func take(
    _ topic: UnsafeRawBufferPointer, _ header: UnsafeRawBufferPointer,
    _ payload: UnsafeRawBufferPointer, wallNS: Int64)

  /// Comes last, also when the broker ends: what was dropped before anybody could hear it.
  func end(_ figures: Broker.Figures, topics: [TopicReport])
}

/// What other threads want of a broker; waits where none runs yet.
final class BrokerOrders: Sendable {
  enum Order: Sendable {
    case start(any BrokerTap)
    case stop(any BrokerTap)
  }

  private struct State {
    var waiting: [Order] = []
    var bell: WakeUp?
  }

  private let state = Mutex(State())

  /// From now on `bell` is signalled where there are orders; it is at once where there are some.
  func open(_ bell: WakeUp) {
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

  func takeAll() -> [Order] {
    state.withLock {
      $0.bell?.drain()
      return take(&$0.waiting)
    }
  }
}
