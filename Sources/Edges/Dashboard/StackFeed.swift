import BusClient
import BusProtocol
import Foundation
public import MessagePack
import Synchronization

/// Sends what `nav top`, `nav graph` and `nav why` show of a stack, while somebody looks.
///
/// It observes the stack through a bus client of its own, on a thread of its own. Nothing is subscribed
/// to, and no thread exists, while it is closed. An observation of a large stack takes the broker some
/// time, so it is repeated after 20 times as long, at least one second and at most fifteen.
public final class StackFeed: Sendable {
  /// Sends a text to the browsers; `name` identifies the earlier text that it replaces.
  public typealias Publish = @Sendable (_ text: String, _ name: String) -> Void

  /// Name of the command that explains a node, a vehicle or a topic: `{name}`.
  public static let whyCommand = "_why"
  /// Name of the command that selects the vehicle whose hops are measured: `{vehicle}`.
  public static let watchCommand = "_watch"

  static let shortestMS: Int64 = 1_000
  static let longestMS: Int64 = 15_000
  /// Milliseconds of one wait for messages.
  private static let waitMS = 50
  /// Seconds after which a request is answered without the observer.
  private static let timeoutS = 12

  private struct Request {
    var command: String
    var name: String
    var answer: @Sendable (MessagePackValue?) -> Void
  }

  private let thread: OnDemandThread
  private let requests: RequestQueue

  public init(_ bus: ObservedBus, publish: @escaping Publish) {
    let requests = RequestQueue()
    self.requests = requests
    thread = OnDemandThread("stack feed") { isWanted in
      Self.run(bus, publish, requests, isWanted: isWanted)
    }
  }

  /// Starts to observe and to send; once more, it begins anew.
  public func open() { thread.start() }
  public func close() { thread.stop() }

  /// Handles a command of a page; nil if the observer does not answer.
  public func handle(_ command: String, _ payload: MessagePackValue) async -> MessagePackValue? {
    let name = payload["name"]?.string ?? payload["vehicle"]?.string ?? ""
    return await withCheckedContinuation { continuation in
      let once = FirstAnswer { continuation.resume(returning: $0) }
      requests.append(Request(command: command, name: name) { once.give($0) })
      Task {
        try? await Task.sleep(for: .seconds(Self.timeoutS))
        once.give(nil)
      }
    }
  }

  private static func run(
    _ bus: ObservedBus, _ publish: Publish, _ requests: RequestQueue,
    isWanted: @escaping @Sendable () -> Bool
  ) {
    guard let client = bus.connect("stack", streamDepth: 64, isWanted: isWanted) else {
      // The address cannot be used, which the node itself reports; or no browser looks any more.
      Thread.sleep(forTimeInterval: 0.25)
      return
    }
    defer { client.close() }
    guard var observer = StackObserver(client) else { return }
    var due = MonotonicTime.now
    while isWanted() {
      observer.receive(waitingMS: waitMS)
      for request in requests.drain() {
        if request.command == watchCommand {
          observer.watch(request.name)
          request.answer(.map([]))
        } else {
          request.answer(observer.explain(request.name))
        }
      }
      let began = MonotonicTime.now
      if began >= due {
        let interval = send(&observer, publish)
        due = max(due.advanced(byMS: interval), began)
      }
    }
  }

  /// Sends a report, and returns the milliseconds until the next one.
  private static func send(_ observer: inout StackObserver, _ publish: Publish) -> Int64 {
    let began = MonotonicTime.now
    let report = observer.report()
    let tookMS = MonotonicTime.now.milliseconds(since: began)
    if let report { publish(text("stack/report", report), "stack/report") }
    if let decisions = observer.newDecisions() {
      publish(text("stack/decisions", decisions), "stack/decisions")
    }
    return min(longestMS, max(shortestMS, 20 * tookMS))
  }

  private static func text(_ topic: String, _ payload: MessagePackValue) -> String {
    MessagePackValue.fields(["topic": .string(topic), "payload": payload]).json()
  }

  /// Requests of pages that wait for the observer.
  private final class RequestQueue: Sendable {
    private let waiting = Mutex<[Request]>([])

    func append(_ request: Request) { waiting.withLock { $0.append(request) } }
    func drain() -> [Request] {
      waiting.withLock { requests in
        defer { requests = [] }
        return requests
      }
    }
  }

  /// Passes on the first of several answers.
  private final class FirstAnswer: Sendable {
    private let receive: Mutex<(@Sendable (MessagePackValue?) -> Void)?>

    init(_ receive: @escaping @Sendable (MessagePackValue?) -> Void) {
      self.receive = Mutex(receive)
    }

    func give(_ answer: MessagePackValue?) { receive.withLock { $0.take() }?(answer) }
  }
}
