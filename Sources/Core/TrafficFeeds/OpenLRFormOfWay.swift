public import RoadGraph

/// The form of way of OpenLR: what kind of carriageway a road is.
public enum OpenLRFormOfWay: Int, Hashable, Sendable, CaseIterable {
  case undefined = 0
  case motorway = 1
  case multipleCarriageway = 2
  case singleCarriageway = 3
  case roundabout = 4
  case trafficSquare = 5
  case slipRoad = 6
  case other = 7

  /// The form of a road of the map.
  public init(of road: RoadAttributes) {
    if road.flags.contains(.roundabout) || road.flags.contains(.circular) {
      self = .roundabout
    } else if road.flags.contains(.link) {
      self = .slipRoad
    } else if road.roadClass == .motorway {
      self = .motorway
    } else {
      self = road.flags.contains(.divided) ? .multipleCarriageway : .singleCarriageway
    }
  }

  /// The name in the command line's output.
  public var word: String {
    switch self {
    case .multipleCarriageway: "multiple_carriageway"
    case .singleCarriageway: "single_carriageway"
    case .trafficSquare: "traffic_square"
    case .slipRoad: "slip_road"
    default: "\(self)"
    }
  }

  /// Whether a road of the map can have this form in a publisher's map.
  ///
  /// Carriageways of one direction may be coded as single or multiple ones, and traffic squares as
  /// roundabouts.
  func fits(_ road: RoadAttributes) -> Bool {
    let own = OpenLRFormOfWay(of: road)
    switch self {
    case .undefined, .other: return true
    case .multipleCarriageway:
      return own == self || own == .singleCarriageway && road.flags.contains(.oneWay)
    case .singleCarriageway:
      return own == self || own == .multipleCarriageway
    case .trafficSquare: return own == self || own == .roundabout
    case .motorway, .roundabout, .slipRoad: return own == self
    }
  }
}
