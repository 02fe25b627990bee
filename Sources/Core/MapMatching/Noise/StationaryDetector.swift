import Foundations
import Geodesy
import Positioning

/// Detects whether a vehicle without a reported speed is stationary, from the spread of its fixes
/// around one place (MM-11).
///
/// The position of a receiver at rest drifts with its error, but gets nowhere. The vehicle is
/// stationary if it has not left a circle that the lowest speed would have crossed by now. The
/// state consists of sums of a fixed size, however long the period lasts. A fix costs about ten
/// multiplications.
struct StationaryDetector: Hashable, Sendable {
  /// Distance in metres from the centre beyond which a fix belongs to another place.
  static let reachM = 21.0
  /// Minimum duration in seconds of a stationary period.
  static let leastS = 20.0
  /// Bound of the distance from the centre as a multiple of the root mean square distance.
  ///
  /// Fixes within it count as one place: normally distributed errors exceed it once in eight
  /// thousand.
  static let spreads = 3.0
  /// Distance in metres within which fixes always count as one place.
  static let leastM = 4.0

  /// Sums over the fixes around one place.
  struct Circle: Hashable, Sendable {
    var plane: LocalPlane
    var since: Instant
    var until: Instant
    var count = 0.0
    var eastM = 0.0
    var northM = 0.0
    /// Sum of the squared distances from the centre at the time of each fix.
    var squares = 0.0
    var farthestM = 0.0
    /// Distance of the newest fix.
    private(set) var newestM = 0.0

    init(_ place: Coordinate, _ time: Instant) {
      plane = LocalPlane(origin: place)
      since = time
      until = time
      count = 1
    }

    var middle: PlanePoint { PlanePoint(eastM: eastM / count, northM: northM / count) }

    /// Adds a fix; returns false if it lies outside.
    mutating func add(_ place: Coordinate, _ time: Instant) -> Bool {
      let point = plane.point(place)
      let distanceM = point.distanceM(to: middle)
      guard distanceM <= StationaryDetector.reachM else { return false }
      until = time
      newestM = distanceM
      count += 1
      eastM += point.eastM
      northM += point.northM
      squares += distanceM * distanceM
      farthestM = Double.maximum(farthestM, distanceM)
      return true
    }

    /// Whether a vehicle at `slowestMps` would have left the circle.
    func isStationary(slowestMps: Double) -> Bool {
      let seconds = until.seconds(since: since)
      return seconds >= StationaryDetector.leastS && 2 * farthestM < slowestMps * seconds
    }

    /// Distance in metres from the centre within which fixes belong to a stationary vehicle.
    var spreadM: Double {
      Double.maximum(
        StationaryDetector.leastM, StationaryDetector.spreads * (squares / count).squareRoot())
    }
  }

  var circle: Circle?
  /// A circle around the previous fix if that lies outside: one such fix may be an outlier, two are
  /// not.
  var strayed: Circle?

  /// Processes the next fix; returns true if the vehicle is stationary at it.
  mutating func process(_ fix: Fix, at time: Instant, slowestMps: Double) -> Bool {
    _ = leaves(fix.place, speedMps: fix.speedMps, at: time)
    guard let circle, circle.until == time, circle.isStationary(slowestMps: slowestMps) else {
      return false
    }
    return circle.newestM <= circle.spreadM
  }

  /// Processes the next fix; returns the circle that the vehicle has left with it.
  mutating func leaves(_ place: Coordinate, speedMps: Double?, at time: Instant) -> Circle? {
    guard speedMps == nil, circle.map({ time >= $0.until }) ?? false else {
      defer { (circle, strayed) = (speedMps == nil ? Circle(place, time) : nil, nil) }
      return circle
    }
    if circle?.add(place, time) == true {
      strayed = nil
      return nil
    }
    // A fix outside may be an outlier; a second one starts another circle.
    guard strayed != nil else {
      strayed = Circle(place, time)
      return nil
    }
    defer { strayed = nil }
    if strayed?.add(place, time) != true { strayed = Circle(place, time) }
    swap(&circle, &strayed)
    return strayed
  }
}
