import Foundation
import Foundations
import Testing

@testable import Geodesy

@Suite struct GreatCircleTests {
  let london = Coordinate(latitudeDeg: 51.5, longitudeDeg: -0.12)

  @Test func `a degree of latitude is the meridian's hundred and eleven kilometres`() {
    let north = Coordinate(latitudeDeg: 52.5, longitudeDeg: -0.12)
    #expect(abs(london.distanceM(to: north) - Earth.metersPerDegree) < 0.001)
    #expect(abs(Earth.metersPerDegree - 111_195.08) < 0.01)
  }

  @Test func `cosines of latitudes are those of the library`() {
    for step in -90_000...90_000 {
      let deg = Double(step) / 1000
      let expected = Foundation.cos(deg * .pi / 180)
      #expect(abs(Earth.cosine(latitudeDeg: deg) - expected) < 4e-16)
    }
    // No latitudes, but no nonsense either.
    for deg in [-400.0, -90.001, 91, 180, 1e9] {
      #expect(Earth.cosine(latitudeDeg: deg) == Foundation.cos(deg * .pi / 180))
    }
    #expect(Earth.cosine(latitudeDeg: .nan).isNaN)
  }

  @Test func `five centimetres keep their digits`() {
    let near = london.moved(bearingDeg: 37, distanceM: 0.05)
    #expect(abs(london.distanceM(to: near) - 0.05) < 1e-6)
  }

  @Test func `the other side of the earth is half its girth away`() {
    let here = Coordinate(latitudeDeg: 12, longitudeDeg: 34)
    let there = Coordinate(latitudeDeg: -12, longitudeDeg: -146)
    #expect(abs(here.distanceM(to: there) - .pi * Earth.meanRadiusM) < 1)
  }

  @Test func `no distance and no direction to the same place`() {
    #expect(london.distanceM(to: london) == 0)
    #expect(london.bearingDeg(to: london) == 0)
  }

  @Test func `the four winds`() {
    let origin = Coordinate(latitudeDeg: 0, longitudeDeg: 0)
    let winds = [(1.0, 0.0, 0.0), (0.0, 1.0, 90.0), (-1.0, 0.0, 180.0), (0.0, -1.0, 270.0)]
    for (lat, lon, bearing) in winds {
      let place = Coordinate(latitudeDeg: lat, longitudeDeg: lon)
      #expect(abs(origin.bearingDeg(to: place) - bearing) < 1e-9)
    }
  }

  @Test func `over the antimeridian the way is short`() {
    let west = Coordinate(latitudeDeg: -17, longitudeDeg: 179.9)
    let east = Coordinate(latitudeDeg: -17, longitudeDeg: -179.9)
    #expect(west.distanceM(to: east) < 22_000)
    let bearing = west.bearingDeg(to: east)
    #expect(bearing > 89 && bearing < 91)
    #expect(abs(west.moved(bearingDeg: bearing, distanceM: 21_000).longitudeDeg) <= 180)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `moving is the inverse of measuring`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let start = Coordinate(
        latitudeDeg: .random(in: -80...80, using: &random),
        longitudeDeg: .random(in: -180...180, using: &random))
      let bearing = Double.random(in: 0..<360, using: &random)
      let distance = Double.random(in: 1...500_000, using: &random)
      let end = start.moved(bearingDeg: bearing, distanceM: distance)
      #expect(end.isValid)
      #expect(abs(start.distanceM(to: end) - distance) < 0.001)
      #expect(Angle.differenceDeg(start.bearingDeg(to: end), bearing) < 0.01)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `distance is symmetric and no detour is shorter`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func place() -> Coordinate {
      Coordinate(
        latitudeDeg: .random(in: -90...90, using: &random),
        longitudeDeg: .random(in: -180...180, using: &random))
    }
    for _ in 0..<100 {
      let (a, b, c) = (place(), place(), place())
      #expect(abs(a.distanceM(to: b) - b.distanceM(to: a)) < 1e-6)
      #expect(a.distanceM(to: c) <= a.distanceM(to: b) + b.distanceM(to: c) + 1e-3)
    }
  }
}

@Suite struct AngleTests {
  @Test func `directions stay below 360, also just below zero`() {
    #expect(Angle.normalizedDeg(360) == 0)
    #expect(Angle.normalizedDeg(-90) == 270)
    #expect(Angle.normalizedDeg(725) == 5)
    #expect(Angle.normalizedDeg(-1e-20) == 0)
  }

  @Test func `a right turn is positive, across north too`() {
    #expect(Angle.turnDeg(from: 350, to: 10) == 20)
    #expect(Angle.turnDeg(from: 10, to: 350) == -20)
    #expect(Angle.differenceDeg(10, 350) == 20)
    #expect(abs(Angle.turnDeg(from: 0, to: 180)) == 180)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `angles keep their direction and range`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let angle = Double.random(in: -2000...2000, using: &random)
      let normal = Angle.normalizedDeg(angle)
      let signed = Angle.signedDeg(angle)
      #expect(normal >= 0 && normal < 360)
      #expect(signed >= -180 && signed <= 180)
      let rest = (angle - signed).remainder(dividingBy: 360)
      #expect(abs(rest) < 1e-9)
      #expect(Angle.differenceDeg(normal, signed) < 1e-9)
    }
  }
}
