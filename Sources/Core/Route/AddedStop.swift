public import Geodesy

/// A stop that was not requested, but that the route needs: boarding a ferry or a car train.
///
/// It is not a waypoint: no section ends there, and no reroute leads back to it.
public struct AddedStop: Codable, Hashable, Sendable {
  /// The kind of crossing that is boarded.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    case ferry
    case carTrain = "car_train"
    /// A kind that a later release defines.
    case other
  }

  public var kind: Kind
  /// Name of the crossing; empty if it has none.
  public var name: String
  /// Where the vehicle boards.
  public var place: Coordinate
  /// Metres from the route's start to that place.
  public var offsetM: Double
  /// Metres of the crossing, from boarding to leaving or to the route's end.
  public var lengthM: Double
  /// Index of the section in which the vehicle boards.
  public var section: Int
  /// Point of the shape where the vehicle boards.
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

  /// Whether a vehicle at an offset on the route is on the crossing, in metres from the route's
  /// start.
  public func isAboard(atM travelledM: Double) -> Bool {
    travelledM >= offsetM && travelledM <= offsetM + lengthM
  }
}
