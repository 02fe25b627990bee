import RoadGraph
import Route

/// The place at which a new route leaves the route being followed.
struct Fork: Codable, Hashable, Sendable {
  /// Metres from the start of the route being followed.
  var currentM: Double
  /// Metres from the start of the new route.
  var newM: Double

  /// Metres by which the start of the new route may lie ahead of the vehicle.
  private static let aheadM = 40.0

  /// The fork of `new`, which starts on the rest of `current` near an offset in metres on
  /// `current`.
  ///
  /// The result is nil if the new route does not start on the current one, or never leaves it.
  /// Linear in both routes.
  init?(of new: Route, from current: Route, atM travelledM: Double) {
    guard let first = new.segments.first?.reference else { return nil }
    let places = current.segments.indices.filter { current.segments[$0].reference == first }
    // If a road is driven twice, the last occurrence that the vehicle has reached counts.
    guard
      var here = places.last(where: { current.segments[$0].startM <= travelledM + Self.aheadM })
        ?? places.first
    else { return nil }
    var there = 0
    while let next = Self.next(after: here, of: current),
      let own = Self.next(after: there, of: new),
      current.segments[next].reference == new.segments[own].reference
    {
      (here, there) = (next, own)
    }
    guard Self.next(after: there, of: new) != nil || Self.next(after: here, of: current) != nil
    else { return nil }
    // A road that is cut in two by a stop ends with its last piece.
    let (left, own) = (Self.last(here, of: current), Self.last(there, of: new))
    currentM = current.segments[left].startM + current.segments[left].lengthM
    newM = new.segments[own].startM + new.segments[own].lengthM
  }

  /// The fork of a route that starts by turning back, before a closed road of `current`.
  ///
  /// It counts until the closed road is reached, since the vehicle may turn wherever it can. The
  /// result is nil for any other route. Linear in the segments of `current`.
  init?(turningBack new: Route, from current: Route, atM travelledM: Double) {
    guard let first = new.segments.first?.reference,
      let closed = current.closedSpans.map({ current.spans[$0].startM }).first(where: {
        $0 > travelledM
      }),
      current.segments.contains(where: {
        $0.reference.reversed == first && $0.startM <= travelledM + Self.aheadM
          && $0.startM + $0.lengthM >= travelledM - Self.aheadM
      })
    else { return nil }
    (currentM, newM) = (closed, 0)
  }

  /// Metres travelled on the new route at a place before the fork, given in metres of the route being followed.
  func newM(atM travelledM: Double) -> Double {
    max(0, newM - max(0, currentM - travelledM))
  }

  private static func last(_ index: Int, of route: Route) -> Int {
    let reference = route.segments[index].reference
    return route.segments[index...].prefix { $0.reference == reference }.indices.last ?? index
  }

  /// Index of the next segment on another road; nil after the last.
  private static func next(after index: Int, of route: Route) -> Int? {
    let next = last(index, of: route) + 1
    return next < route.segments.count ? next : nil
  }
}

/// The distance that a driver needs to follow a new instruction.
public enum InstructionLead {
  /// Time in which the change is announced and understood, in seconds.
  static let announcementS = 4.0
  /// Comfortable deceleration, m/s².
  static let brakingMps2 = 2.5
  private static let leastM = 20.0
  /// Speed that is assumed if it is not known, m/s.
  private static let unknownMps = 14.0

  /// Distance in metres in which a change can be announced and the vehicle can then stop;
  /// `speedMps` is nil if unknown.
  public static func m(speedMps: Double?) -> Double {
    let speed = max(0, speedMps ?? unknownMps)
    return max(leastM, announcementS * speed + speed * speed / (2 * brakingMps2))
  }

  /// Distance driven in a number of seconds, in metres.
  static func drivenM(_ seconds: Double, speedMps: Double?) -> Double {
    seconds * max(0, speedMps ?? unknownMps)
  }
}
