import Foundations
public import Geodesy
public import RoadGraph
public import Route

extension WarningKind {
  /// Whether it concerns `mode`: walkers and cyclists do not need warnings of what only drivers
  /// encounter.
  func concerns(_ mode: TravelMode) -> Bool {
    switch self {
    case .railwayCrossing, .border, .incident, .custom: true
    case .roadSign, .trafficSignals, .stopSign, .giveWay, .speedBump, .sharpBend, .tunnel:
      mode != .pedestrian
    case .safetyCamera, .schoolZone, .tollStop, .trafficMerge, .laneDecrease, .dangerZone,
      .lowSpeedZone, .environmentalZone, .truckRestriction, .jamEnd:
      mode.isMotorised
    }
  }
}

/// Something that lies on the path: at a point, or along a zone.
public struct RoadObject: Codable, Hashable, Sendable {
  /// The same each time the object is encountered.
  public var id: String
  public var kind: WarningKind
  /// Distinguishes consecutive zones of one kind.
  public var key: String
  /// Metres along the main path at which it lies or begins.
  public var startM: Double
  /// Metres at which a zone ends, as far as the path is known; nil for a point.
  public var endM: Double?
  /// Where it lies or begins; nil if it was lost in a restart.
  public var place: Coordinate?
  public var segment: SegmentReference?
  /// The limit that it enforces or sets, in metres per second.
  public var limitMps: Double?
  public var text: String?

  public init(
    id: String, kind: WarningKind, key: String = "", startM: Double, endM: Double? = nil,
    place: Coordinate?, segment: SegmentReference?, limitMps: Double? = nil, text: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.key = key
    self.startM = startM
    self.endM = endM
    self.place = place
    self.segment = segment
    self.limitMps = limitMps
    self.text = text
  }
}

extension RoadObject {
  /// Sorts objects by the place where they begin.
  static func inOrder(_ objects: [RoadObject]) -> [RoadObject] {
    objects.sorted { ($0.startM, $0.id) < ($1.startM, $1.id) }
  }
}

/// Finds the objects of one family of warnings on a path.
protocol ObjectRule {
  func objects(on way: PathView) -> [RoadObject]
}

/// The path that the rules examine.
struct PathView {
  let map: RoadMap
  let path: MainPath
  let mode: TravelMode
  let incidents: IncidentIndex
  let now: Instant
  /// Borders are reported on a route only.
  let followsRoute: Bool
  /// Countries in which cameras are not reported.
  let silentCountries: Set<String>

  var graph: RoadGraph { map.graph }

  func road(_ index: Int) -> RoadAttributes { graph.attributes(path.edges[index]) }

  func flags(atEndOf index: Int) -> NodeFlags {
    graph.columns.nodeFlags[graph.head(path.edges[index]).index]
  }

  /// Points at the ends of edges for which `holds` is true.
  func points(
    _ kind: WarningKind, where holds: (Int, NodeFlags) -> Bool
  ) -> [RoadObject] {
    path.edges.indices.compactMap { index in
      holds(index, flags(atEndOf: index)) ? point(kind, atEndOf: index) : nil
    }
  }

  func point(_ kind: WarningKind, atEndOf index: Int, text: String? = nil) -> RoadObject {
    let edge = path.edges[index]
    let node = graph.head(edge)
    return RoadObject(
      id: "\(kind.rawValue)/\(graph.columns.nodeOSM[node.index])", kind: kind,
      startM: path.startsM[index + 1], place: graph.coordinate(node),
      segment: graph.reference(edge), limitMps: nil, text: text)
  }

  /// A point on an edge, `offsetM` from its beginning.
  func point(
    _ kind: WarningKind, id: String, on index: Int, offsetM: Double, text: String? = nil
  ) -> RoadObject {
    let edge = path.edges[index]
    return RoadObject(
      id: id, kind: kind, startM: path.startsM[index] + offsetM,
      place: graph.coordinate(RoadPosition(edge: edge, offsetM: offsetM)),
      segment: graph.reference(edge), text: text)
  }

  /// Zones of consecutive edges with the same `key`; nil means outside a zone.
  func zones(_ kind: WarningKind, key: (Int) -> String?) -> [RoadObject] {
    var found: [RoadObject] = []
    var open: String?
    for index in path.edges.indices {
      let here = key(index)
      if let here, here == open, !found.isEmpty {
        found[found.count - 1].endM = path.startsM[index + 1]
      } else if let here {
        let reference = graph.reference(path.edges[index])
        let mark = here.isEmpty ? "" : "\(here)/"
        found.append(
          RoadObject(
            id: "\(kind.rawValue)/\(mark)\(reference.way)-\(reference.from)-\(reference.to)",
            kind: kind, key: here, startM: path.startsM[index], endM: path.startsM[index + 1],
            place: graph.coordinate(graph.tail(path.edges[index])), segment: reference))
      }
      open = here
    }
    return found
  }

  /// Whether an edge lies in a country without camera warnings.
  func isSilentOfCameras(_ index: Int) -> Bool {
    !silentCountries.isEmpty && road(index).country.map(silentCountries.contains) ?? false
  }

  /// Whether signs at the end of an edge face vehicles that come along it.
  func speaks(_ index: Int) -> Bool { !road(index).flags.contains(.signsFaceAway) }
}
