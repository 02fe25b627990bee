import Harness
import MessagePack
import Stage
import Synchronization

/// The vehicles that a page can show, requested at most every two seconds.
final class VehicleList: Sendable {
  /// Name of the page's command that lists vehicles; not a call of the stack.
  static let command = "_vehicles"
  /// Maximum number of names in one answer.
  static let most = 200
  private static let lifetime = Duration.seconds(2)
  private static let timeout = Duration.seconds(2)

  private struct State {
    var names: [String] = []
    var foundAt: ContinuousClock.Instant?
  }

  private let state = Mutex(State())

  /// The names in order; the last known ones if the broker does not answer.
  func names(_ node: any NodeHandle) async -> [String] {
    let known = state.withLock { state -> [String]? in
      guard let foundAt = state.foundAt, foundAt.duration(to: .now) < Self.lifetime
      else { return nil }
      return state.names
    }
    if let known { return known }
    let found = await Self.ask(node)
    return state.withLock { state in
      if let found { state.names = found }
      state.foundAt = .now
      return state.names
    }
  }

  private static func ask(_ node: any NodeHandle) async -> [String]? {
    await withCheckedContinuation { continuation in
      let box = ContinuationBox(continuation)
      node.findVehicles { box.resume($0) }
      Task {
        try? await Task.sleep(for: timeout)
        box.resume(nil)
      }
    }
  }

  /// The answer to a page: `{vehicle?, search?}` in, `{total, matching, vehicles, known?}` out.
  ///
  /// `vehicles` are the first names that contain `search`; `known` is whether `vehicle` is among
  /// all of them.
  static func reply(_ request: MessagePackValue, names: [String]) -> MessagePackValue {
    let search = (request["search"]?.string ?? "").lowercased()
    let matching = search.isEmpty ? names : names.filter { $0.contains(search) }
    var entries: [MessagePackValue.Entry] = [
      .init("total", .int(Int64(names.count))), .init("matching", .int(Int64(matching.count))),
      .init("vehicles", .array(matching.prefix(most).map { .string($0) })),
    ]
    if let vehicle = request["vehicle"]?.string {
      entries.append(.init("known", .bool(names.contains(vehicle))))
    }
    return .map(entries)
  }
}

/// Resumes a continuation once, with the first of two results.
private final class ContinuationBox: Sendable {
  private let stored: Mutex<CheckedContinuation<[String]?, Never>?>

  init(_ continuation: CheckedContinuation<[String]?, Never>) { stored = Mutex(continuation) }

  func resume(_ names: [String]?) {
    stored.withLock { $0.take() }?.resume(returning: names)
  }
}
