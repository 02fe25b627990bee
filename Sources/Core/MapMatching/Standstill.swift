import EventTime
import Geodesy
import Positioning

/// Whether one who tells no speed stands, by how its fixes lie around one place (MM-11).
///
/// A receiver at rest wanders by its error, and gets nowhere: it stands when it has not left a circle that the least speed would have
/// crossed by now. Knows sums alone, of a fixed size however long it lasts; a fix costs some ten multiplications.
struct Standstill: Hashable, Sendable {
  /// Metres from the middle beyond which a fix is of another place.
  static let reachM = 21.0
  /// Seconds before which nobody is said to stand.
  static let leastS = 20.0
  /// Within so many times as far from the middle as fixes lie in the mean they are taken to be of one place: normal errors are farther
  /// once in eight thousand.
  static let spreads = 3.0
  /// Metres within which they are in any case.
  static let leastM = 4.0

  /// The fixes around one place, added up.
  struct Circle: Hashable, Sendable {
    var plane: LocalPlane
    var since: Instant
    var until: Instant
    var count = 0.0
    var eastM = 0.0
    var northM = 0.0
    /// Of the distances from the middle, as it was by then.
    var squares = 0.0
    var farthestM = 0.0
    /// Of the newest fix.
    private(set) var newestM = 0.0

    init(_ place: Coordinate, _ time: Instant) {
      plane = LocalPlane(origin: place)
      since = time
      until = time
      count = 1
    }

    var middle: PlanePoint { PlanePoint(eastM: eastM / count, northM: northM / count) }

    /// Takes a fix in; false where it lies outside.
    mutating func add(_ place: Coordinate, _ time: Instant) -> Bool {
      let point = plane.point(place)
      let distanceM = point.distanceM(to: middle)
      guard distanceM <= Standstill.reachM else { return false }
      until = time
      newestM = distanceM
      count += 1
      eastM += point.eastM
      northM += point.northM
      squares += distanceM * distanceM
      farthestM = Double.maximum(farthestM, distanceM)
      return true
    }

    /// Whether one who moves at `slowestMps` would have left it.
    func isStand(slowestMps: Double) -> Bool {
      let seconds = until.seconds(since: since)
      return seconds >= Standstill.leastS && 2 * farthestM < slowestMps * seconds
    }

    /// Metres from the middle within which fixes are of one who stands there.
    var spreadM: Double {
      Double.maximum(Standstill.leastM, Standstill.spreads * (squares / count).squareRoot())
    }
  }

  var circle: Circle?
  /// The fix before where it lies outside: one may be an outlier, two are not.
  var strayed: Circle?

  /// Takes the next fix; true where the vehicle stands at it.
  mutating func take(_ fix: Fix, at time: Instant, slowestMps: Double) -> Bool {
    _ = leaves(fix.place, speedMps: fix.speedMps, at: time)
    guard let circle, circle.until == time, circle.isStand(slowestMps: slowestMps) else {
      return false
    }
    return circle.newestM <= circle.spreadM
  }

  /// Takes the next fix; the circle that the vehicle has left by it.
  mutating func leaves(_ place: Coordinate, speedMps: Double?, at time: Instant) -> Circle? {
    guard speedMps == nil, circle.map({ time >= $0.until }) ?? false else {
      defer { (circle, strayed) = (speedMps == nil ? Circle(place, time) : nil, nil) }
      return circle
    }
    if circle?.add(place, time) == true {
      strayed = nil
      return nil
    }
    // One that lies outside may be an outlier; a second one begins another circle.
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
