import Foundations
import Geodesy

extension MatcherSnapshot {
  mutating func write(_ standstill: StationaryDetector) {
    for circle in [standstill.circle, standstill.strayed] {
      write(circle) { snapshot, circle in
        snapshot.write(circle.plane.origin)
        snapshot.write(circle.since)
        snapshot.write(circle.until)
        snapshot.numbers += [
          circle.count, circle.eastM, circle.northM, circle.squares, circle.farthestM,
        ]
      }
    }
  }

  mutating func readStationaryDetector() throws(Damaged) -> StationaryDetector {
    var standstill = StationaryDetector()
    standstill.circle = try readCircle()
    standstill.strayed = try readCircle()
    return standstill
  }

  private mutating func readCircle() throws(Damaged) -> StationaryDetector.Circle? {
    try readOptional { (snapshot) throws(Damaged) in
      let origin = try snapshot.readPlace()
      var circle = StationaryDetector.Circle(origin, try snapshot.readInstant())
      circle.until = try snapshot.readInstant()
      circle.count = try snapshot.readDouble()
      guard origin.isValid, circle.count >= 1, circle.until >= circle.since else {
        throw Damaged()
      }
      circle.eastM = try snapshot.readDouble()
      circle.northM = try snapshot.readDouble()
      circle.squares = try snapshot.readDouble()
      circle.farthestM = try snapshot.readDouble()
      return circle
    }
  }
}
