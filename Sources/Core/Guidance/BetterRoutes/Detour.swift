public import RoadGraph
public import Route

/// The directed road segments by which a proposed route leaves the route being followed.
///
/// Proposals are compared by their detours and not by their whole remaining paths.
///
/// The parts that they share with the active route do not show whether the driver is asked the
/// same question again.
public struct Detour: Codable, Hashable, Sendable {
  /// In driving order; empty if the proposal never leaves the active route.
  public private(set) var segments: [SegmentReference]
  /// Length of each segment on the proposed route, in metres.
  private var lengthsM: [Double]

  /// The share of a detour's length that must be known for it to count as the same detour.
  private static let sameShare = 0.5

  /// The part of `proposed` that is not on `current`.
  ///
  /// Linear in both.
  public init(of proposed: Route, from current: Route) {
    let followed = Set(current.segments.map(\.reference))
    let own = proposed.segments.filter { !followed.contains($0.reference) }
    segments = own.map(\.reference)
    lengthsM = own.map(\.lengthM)
  }

  /// A detour whose segments come from a saved state, which does not contain their lengths.
  public init(segments: [SegmentReference]) {
    self.segments = segments
    lengthsM = Array(repeating: 1, count: segments.count)
  }

  /// Whether at least half of its length lies on `other`; a detour without segments is part of any
  /// other.
  public func isPart(of other: Detour) -> Bool {
    let known = Set(other.segments)
    var (sharedM, wholeM) = (0.0, 0.0)
    for (segment, lengthM) in zip(segments, lengthsM) {
      wholeM += lengthM
      if known.contains(segment) { sharedM += lengthM }
    }
    return sharedM >= Self.sameShare * wholeM
  }
}
