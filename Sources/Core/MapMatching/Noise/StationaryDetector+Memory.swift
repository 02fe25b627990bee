import Foundations
import Geodesy

extension MatcherSnapshot {
  mutating func write(_ standstill: StationaryDetector) {
    for circle in [standstill.circle, standstill.strayed] {
      write(circle) { tape, circle in
        tape.write(circle.plane.origin)
        tape.write(circle.since)
        tape.write(circle.until)
        tape.numbers += [
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
    try readOptional { (tape) throws(Damaged) in
      let origin = try tape.readPlace()
      var circle = StationaryDetector.Circle(origin, try tape.readInstant())
      circle.until = try tape.readInstant()
      circle.count = try tape.readDouble()
      guard origin.isValid, circle.count >= 1, circle.until >= circle.since else {
        throw Damaged()
      }
      circle.eastM = try tape.readDouble()
      circle.northM = try tape.readDouble()
      circle.squares = try tape.readDouble()
      circle.farthestM = try tape.readDouble()
      return circle
    }
  }
}
