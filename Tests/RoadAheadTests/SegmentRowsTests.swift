import Foundation
import Foundations
import Geodesy
import Testing

@testable import RoadAhead

/// The rows against looking at every segment, and their size for lines of any shape.
@Suite struct SegmentRowsTests {
  private let plane = LocalPlane(origin: Coordinate(latitudeDeg: 47, longitudeDeg: 8))

  private func place(_ eastM: Double, _ northM: Double) -> Coordinate {
    plane.coordinate(PlanePoint(eastM: eastM, northM: northM))
  }

  private static let shapes: [(name: String, points: [(Double, Double)])] = [
    ("on one latitude", (0...20_000).map { (Double($0), 0) }),
    ("on one meridian", (0...20_000).map { (0, Double($0)) }),
    ("to the north-east", (0...20_000).map { (Double($0), Double($0)) }),
    ("to and fro", (0...20_000).map { (Double($0) / 10, $0 % 2 == 0 ? 0 : 1000) }),
    ("at one place", (0...20_000).map { _ in (0, 0) }),
    ("a metre long", (0...20_000).map { (Double($0) / 20_000, 0) }),
  ]

  @Test(arguments: shapes.indices)
  func `a line of any shape takes memory by its length alone, EV-4`(index: Int) {
    let (name, points) = Self.shapes[index]
    let line = points.map { place($0.0, $0.1) }
    let rows = SegmentRows([line], isClosed: false, marginM: 40)
    #expect(rows.entryCount <= 4 * (line.count - 1), "\(name)")
  }

  @Test(arguments: 0..<3)
  func `of a long line few segments are looked at for a place, EV-4`(index: Int) {
    let line = Self.shapes[index].points.map { place($0.0, $0.1) }
    let rows = SegmentRows([line], isClosed: false, marginM: 40)
    let looked = rows.segments(at: line[10_000]).count
    #expect((1...400).contains(looked), "\(looked) segments")
  }

  @Test(arguments: 0..<6)
  func `the nearest segment is that of all, EV-4`(index: Int) {
    let line = Self.shapes[index].points.prefix(400).map { place($0.0, $0.1) }
    let rows = SegmentRows([line], isClosed: false, marginM: 40)
    var random = SplitMix64(seed: UInt64(index))
    for _ in 0..<200 {
      let at = place(
        Double.random(in: -60...460, using: &random), Double.random(in: -60...460, using: &random))
      let best =
        zip(line, line.dropFirst()).compactMap { Polyline([$0, $1]).projection(of: at)?.distanceM }
        .min() ?? .infinity
      guard best <= 20 else { continue }
      #expect(abs((rows.nearest(to: at)?.distanceM ?? .infinity) - best) < 1e-6)
    }
  }

  @Test(arguments: [(1000.0, 100.0), (100, 1000), (500, 500), (1000, 0)])
  func `an area encloses what it does by all its segments, EV-4`(widthM: Double, heightM: Double) {
    var random = SplitMix64(seed: UInt64(widthM))
    // A star with a hole: sharp points, segments of any direction.
    let ring = (0..<300).map { index in
      let angle = Double(index) / 300 * 2 * Double.pi
      let reach = index % 2 == 0 ? 1.0 : 0.6
      return place(widthM * reach * cos(angle), heightM * reach * sin(angle))
    }
    let hole = [(-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)].map {
      place(widthM * $0.0, heightM * $0.1)
    }
    let rings = [ring, hole]
    let rows = SegmentRows(rings, isClosed: true)
    var inside = 0
    for _ in 0..<2000 {
      let at = place(
        Double.random(in: -1.1 * widthM...1.1 * widthM, using: &random),
        Double.random(in: -1.1 * heightM...1.1 * heightM, using: &random))
      #expect(rows.encloses(at) == Self.encloses(rings, at))
      if rows.encloses(at) { inside += 1 }
    }
    #expect(heightM == 0 ? inside == 0 : inside > 300)
  }

  @Test func `without a line nothing is near, EV-4`() {
    for lines in [[], [[]], [[place(0, 0)]]] as [[[Coordinate]]] {
      let rows = SegmentRows(lines, isClosed: true, marginM: 40)
      #expect(rows.nearest(to: place(0, 0)) == nil)
      #expect(!rows.encloses(place(0, 0)))
    }
  }

  private static func encloses(_ rings: [[Coordinate]], _ at: Coordinate) -> Bool {
    var isIn = false
    for ring in rings {
      for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        guard (a.latitudeDeg > at.latitudeDeg) != (b.latitudeDeg > at.latitudeDeg) else { continue }
        let share = (at.latitudeDeg - a.latitudeDeg) / (b.latitudeDeg - a.latitudeDeg)
        if at.longitudeDeg < a.longitudeDeg + share * (b.longitudeDeg - a.longitudeDeg) {
          isIn.toggle()
        }
      }
    }
    return isIn
  }
}
