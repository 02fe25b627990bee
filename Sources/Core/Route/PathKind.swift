public import RoadGraph

/// What a road without a name is called by those who walk or cycle on it.
public enum PathKind: String, Codable, Hashable, Sendable, CaseIterable {
  case crossing
  case steps
  case corridor
  case cyclePath
  case path
  case track
}

extension RoadFacts {
  /// The kind of a nameless road for a mode; nil for roads with a name, for streets, and for all who drive.
  public func pathKind(_ mode: TravelMode) -> PathKind? {
    guard !mode.isMotorised, name.isEmpty, number.isEmpty else { return nil }
    if isCrossing { return .crossing }
    switch roadClass {
    case .steps: return .steps
    case .cycleway: return .cyclePath
    case .path: return isIndoor ? .corridor : .path
    case .track: return .track
    default: return nil
    }
  }

  /// Whether a cyclist gets off on the way from `before` onto this road.
  public func isPushed(after before: RoadFacts, _ mode: TravelMode) -> Bool {
    mode == .bicycle && isDismount && !before.isDismount
  }
}
