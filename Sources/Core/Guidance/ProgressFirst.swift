extension [NavigatorOutput] {
  /// The same, each progress before what the same location says besides: the road, its limit, maneuvers, lanes.
  ///
  /// An announcement waits for progress, and progress for nothing. It passes nothing that it rests on, such as another
  /// route, and nothing that happens once, such as a stop.
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
