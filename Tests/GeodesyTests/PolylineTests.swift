import Foundations
import Geodesy
import Testing

@Suite struct PolylineTests {
  let origin = Coordinate(latitudeDeg: 47, longitudeDeg: 9)

  /// A walk of `count` points, some of them twice at one place.
  private func walk(_ count: Int, seed: UInt64) -> Polyline {
    var random = SplitMix64(seed: seed)
    var points = [origin]
    for _ in 1..<count {
      let last = points[points.count - 1]
      let stands = Int.random(in: 0..<5, using: &random) == 0
      points.append(
        stands
          ? last
          : last.moved(
            bearingDeg: .random(in: 0..<360, using: &random),
            distanceM: .random(in: 1...200, using: &random)))
    }
    return Polyline(points)
  }

  @Test func `an empty line has no place, a single point no length`() {
    let none = Polyline([])
    #expect(none.lengthM == 0 && none.coordinate(atM: 0) == nil)
    #expect(none.projection(of: origin) == nil && none.slice(fromM: 0, toM: 1).isEmpty)
    let one = Polyline([origin])
    #expect(one.lengthM == 0 && one.coordinate(atM: 5) == origin)
    #expect(one.bearingDeg(atM: 0) == nil && one.projection(of: origin)?.distanceM == 0)
  }

  @Test func `the bearing at a doubled point is that of the road`() {
    let east = origin.moved(bearingDeg: 90, distanceM: 100)
    let line = Polyline([origin, origin, east, east])
    for offset in [0.0, 50, 100] {
      #expect(Angle.differenceDeg(line.bearingDeg(atM: offset) ?? 0, 90) < 0.01)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a place of the line projects onto itself`(seed: UInt64) throws {
    let line = walk(12, seed: seed)
    var random = SplitMix64(seed: seed ^ 0xff)
    for _ in 0..<20 {
      let offset = Double.random(in: 0...line.lengthM, using: &random)
      let place = try #require(line.coordinate(atM: offset))
      let projection = try #require(line.projection(of: place))
      #expect(projection.distanceM < 0.01)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `no sample of the line is nearer than the projection`(seed: UInt64) throws {
    let line = walk(10, seed: seed)
    var random = SplitMix64(seed: seed ^ 0xabc)
    let place = origin.moved(
      bearingDeg: .random(in: 0..<360, using: &random),
      distanceM: .random(in: 0...400, using: &random))
    let from = Double.random(in: 0...line.lengthM / 2, using: &random)
    let to = Double.random(in: from...line.lengthM, using: &random)
    let projection = try #require(line.projection(of: place, fromM: from, toM: to))
    #expect(projection.offsetM >= from - 1e-6 && projection.offsetM <= to + 1e-6)
    var nearest = Double.infinity
    for step in 0...2000 {
      let sample = line.coordinate(atM: from + (to - from) * Double(step) / 2000)
      nearest = Double.minimum(nearest, sample?.distanceM(to: place) ?? .infinity)
    }
    #expect(projection.distanceM <= nearest + 0.01)
    #expect(nearest <= projection.distanceM + 0.5)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the slices before and behind a place make up the line`(seed: UInt64) {
    let line = walk(15, seed: seed)
    var random = SplitMix64(seed: seed ^ 7)
    let cut = Double.random(in: 0...line.lengthM, using: &random)
    let before = Polyline(line.slice(fromM: 0, toM: cut))
    let behind = Polyline(line.slice(fromM: cut, toM: line.lengthM))
    #expect(abs(before.lengthM - cut) < 0.01)
    #expect(abs(before.lengthM + behind.lengthM - line.lengthM) < 0.01)
    #expect(before.points.last == behind.points.first)
  }
}

@Suite struct LocalPlaneTests {
  @Test(arguments: [0.0, 45, 90, 181, 300, -30])
  func `a step leads where its direction says, and as far`(bearingDeg: Double) {
    let step = PlanePoint(bearingDeg: bearingDeg, lengthM: 7)
    #expect(abs(step.distanceM(to: PlanePoint(eastM: 0, northM: 0)) - 7) < 1e-9)
    let reported = LocalPlane.bearingDeg(eastM: step.eastM, northM: step.northM)
    #expect(abs(Angle.signedDeg(reported - bearingDeg)) < 1e-9)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `within five kilometres the plane errs by less than a thousandth`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let origin = Coordinate(
      latitudeDeg: .random(in: -70...70, using: &random),
      longitudeDeg: .random(in: -180...180, using: &random))
    let plane = LocalPlane(origin: origin)
    for _ in 0..<50 {
      let place = origin.moved(
        bearingDeg: .random(in: 0..<360, using: &random),
        distanceM: .random(in: 100...5000, using: &random))
      let flat = plane.point(place).distanceM(to: PlanePoint(eastM: 0, northM: 0))
      #expect(abs(flat / origin.distanceM(to: place) - 1) < 0.001)
      #expect(plane.coordinate(plane.point(place)).distanceM(to: place) < 0.001)
    }
  }

  @Test func `a box grown by metres holds what lies so far, and no more`() {
    let origin = Coordinate(latitudeDeg: 60, longitudeDeg: 20)
    let box = BoundingBox(around: [origin])?.expanded(byM: 100)
    for bearing in stride(from: 0.0, to: 360, by: 15) {
      #expect(box?.contains(origin.moved(bearingDeg: bearing, distanceM: 99.9)) == true)
      #expect(box?.contains(origin.moved(bearingDeg: bearing, distanceM: 145)) == false)
    }
    #expect(BoundingBox(around: []) == nil)
  }
}
