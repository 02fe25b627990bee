/// Properties of a road that either apply or do not.
public struct RoadFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Motor vehicles may drive in one direction only; wrong-way travel can still be represented.
  public static let oneWay = RoadFlags(rawValue: 1 << 0)
  public static let roundabout = RoadFlags(rawValue: 1 << 1)
  /// A ramp or a slip road (`*_link`).
  public static let link = RoadFlags(rawValue: 1 << 2)
  public static let tunnel = RoadFlags(rawValue: 1 << 3)
  public static let bridge = RoadFlags(rawValue: 1 << 4)
  public static let toll = RoadFlags(rawValue: 1 << 5)
  public static let ferry = RoadFlags(rawValue: 1 << 6)
  public static let unpaved = RoadFlags(rawValue: 1 << 7)
  /// Traffic drives on the left here.
  public static let leftHand = RoadFlags(rawValue: 1 << 8)
  public static let carPool = RoadFlags(rawValue: 1 << 9)
  public static let controlledAccess = RoadFlags(rawValue: 1 << 10)
  /// One carriageway of a divided road.
  public static let divided = RoadFlags(rawValue: 1 << 11)
  /// Part of a small island of road that cannot be reached from the rest of the map.
  public static let island = RoadFlags(rawValue: 1 << 12)
  public static let noThrough = RoadFlags(rawValue: 1 << 13)
  public static let schoolZone = RoadFlags(rawValue: 1 << 14)
  public static let lit = RoadFlags(rawValue: 1 << 15)
  public static let builtUp = RoadFlags(rawValue: 1 << 16)
  public static let parkingAisle = RoadFlags(rawValue: 1 << 17)
  public static let driveway = RoadFlags(rawValue: 1 << 18)
  public static let reversible = RoadFlags(rawValue: 1 << 19)
  public static let trafficCalming = RoadFlags(rawValue: 1 << 20)
  public static let circular = RoadFlags(rawValue: 1 << 21)
  /// Signs above the road change the limit.
  public static let variableLimit = RoadFlags(rawValue: 1 << 22)
  public static let noHazardousGoods = RoadFlags(rawValue: 1 << 23)
  /// Traffic uses the road in alternating directions.
  public static let alternating = RoadFlags(rawValue: 1 << 24)
  /// The objects at the end of the edge (signals, stop, give way, camera) only apply to oncoming
  /// traffic.
  public static let signsFaceAway = RoadFlags(rawValue: 1 << 25)
  /// Within a zone that high-emission vehicles may not enter.
  public static let lowEmissionZone = RoadFlags(rawValue: 1 << 26)
  /// A carriageway that is unpleasant to walk on: its sidewalk is a separate way, or it has none.
  public static let walkersElsewhere = RoadFlags(rawValue: 1 << 27)
  /// A carriageway that is unpleasant to cycle on: its cycleway is a separate way, or it is an
  /// expressway.
  public static let cyclistsElsewhere = RoadFlags(rawValue: 1 << 28)
  /// The crossing of a carriageway for walkers or cyclists.
  public static let footCrossing = RoadFlags(rawValue: 1 << 29)
  /// Within a building.
  public static let indoor = RoadFlags(rawValue: 1 << 30)
}
