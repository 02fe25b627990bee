public import RoadGraph

/// The term for an unnamed road used by walkers or cyclists.
public enum PathKind: String, Codable, Hashable, Sendable, CaseIterable {
  case crossing
  case steps
  case corridor
  case cyclePath
  case path
  case track
}

extension RoadFacts {
  /// The kind of an unnamed road for a mode; nil for named roads, for streets, and for motor
  /// vehicles.
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

  /// Whether a cyclist dismounts between `before` and this road.
  public func isPushed(after before: RoadFacts, _ mode: TravelMode) -> Bool {
    mode == .bicycle && isDismount && !before.isDismount
  }
}
