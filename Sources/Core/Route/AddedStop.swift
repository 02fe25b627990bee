public import Geodesy

/// A stop that nobody asked for, but that the way needs: where one boards a ferry or a car train.
///
/// It is no waypoint: no section ends there, and no reroute leads back to it.
public struct AddedStop: Codable, Hashable, Sendable {
  /// What is boarded.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    case ferry
    case carTrain = "car_train"
    /// What a later release knows.
    case other
  }

  public var kind: Kind
  /// Name of the crossing; empty where it has none.
  public var name: String
  /// Where one boards.
  public var place: Coordinate
  /// Metres from the route's start to that place.
  public var offsetM: Double
  /// Metres of the crossing, from boarding to leaving or to the route's end.
  public var lengthM: Double
  /// Index of the section in which one boards.
  public var section: Int
  /// Point of the shape at which one boards.
  public var shapeIndex: Int

  public init(
    kind: Kind, name: String, place: Coordinate, offsetM: Double, lengthM: Double, section: Int,
    shapeIndex: Int
  ) {
    self.kind = kind
    self.name = name
    self.place = place
    self.offsetM = offsetM
    self.lengthM = lengthM
    self.section = section
    self.shapeIndex = shapeIndex
  }

  /// A vehicle at that place of the route is on the crossing, metres from the route's start.
  public func isAboard(atM travelledM: Double) -> Bool {
    travelledM >= offsetM && travelledM <= offsetM + lengthM
  }
}
