import Testing

@testable import MapMatching

extension OnlineMatcher {
  /// A matcher that knows what this one remembers and nothing else, as after a restart.
  func restarted() throws -> OnlineMatcher {
    var next = OnlineMatcher(network: network, tuning: tuning)
    #expect(try next.recall(memory))
    return next
  }
}
