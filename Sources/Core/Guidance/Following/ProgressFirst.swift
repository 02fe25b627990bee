extension [NavigatorOutput] {
  /// The same outputs, with progress before other outputs of the same location: road, limit,
  /// maneuvers, lanes.
  ///
  /// Announcements depend on progress, and progress depends on nothing else. Progress is not moved
  /// before outputs that it is based on, such as another route. It is not moved before one-time
  /// events either, such as a stop.
  public var progressFirst: [NavigatorOutput] {
    var ordered: [NavigatorOutput] = []
    ordered.reserveCapacity(count)
    for output in self {
      guard case .progress = output else {
        ordered.append(output)
        continue
      }
      let passed = ordered.reversed().prefix { $0.isBesides }.count
      ordered.insert(output, at: ordered.count - passed)
    }
    return ordered
  }
}

extension NavigatorOutput {
  fileprivate var isBesides: Bool {
    switch self {
    case .road, .speed, .nextManeuver, .maneuverDone, .lanes: true
    default: false
    }
  }
}
