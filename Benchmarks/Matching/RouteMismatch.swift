import Foundation
import Geodesy

/// How far a matched way is from the true one: the mismatch of Newson and Krumm (2009), on geometry.
///
/// The same arithmetic as `geo.mismatch` of the peers' scripts: missed is what of the truth has no matched line
/// within 2 m going its way (within 45 degrees), added what of the lines has no truth so.
struct RouteMismatch {
  static let toleranceM = 2.0
  static let stepM = 2.0
  static let leastCosine = 0.5.squareRoot()

  let plane: Plane
  let truth: Lines
  let truthM: Double

  init(truth line: [Coordinate]) {
    plane = Plane(origin: line[line.count / 2])
    truth = Lines([line], plane: plane)
    truthM = truth.samples.reduce(0) { $0 + $1.lengthM }
  }

  struct Score {
    var addedM = 0.0
    var missedM = 0.0
    var added: [Lines.Sample] = []
    var missed: [Lines.Sample] = []
  }

  func score(_ matched: [[Coordinate]]) -> Score {
    let lines = Lines(matched, plane: plane)
    var score = Score()
    for sample in truth.samples where !lines.covers(sample) {
      score.missedM += sample.lengthM
      score.missed.append(sample)
    }
    for sample in lines.samples where !truth.covers(sample) {
      score.addedM += sample.lengthM
      score.added.append(sample)
    }
    return score
  }

  /// An equirectangular plane in metres.
  struct Plane {
    let origin: Coordinate
    let north = Double.pi / 180 * 6_371_008.8
    let east: Double

    init(origin: Coordinate) {
      self.origin = origin
      east = north * Foundation.cos(origin.latitudeDeg * .pi / 180)
    }

    func coordinate(_ x: Double, _ y: Double) -> Coordinate {
      Coordinate(
        latitudeDeg: origin.latitudeDeg + y / north, longitudeDeg: origin.longitudeDeg + x / east)
    }

    func point(_ c: Coordinate) -> (x: Double, y: Double) {
      ((c.longitudeDeg - origin.longitudeDeg) * east, (c.latitudeDeg - origin.latitudeDeg) * north)
    }
  }
}

/// Lines in a plane, sampled, and found again by place.
struct Lines {
  struct Sample {
    var x: Double
    var y: Double
    var directionX: Double
    var directionY: Double
    var lengthM: Double
  }

  private struct Segment {
    var x: Double
    var y: Double
    var dx: Double
    var dy: Double
    var lengthM: Double
  }

  private struct Cell: Hashable {
    var x: Int32
    var y: Int32
  }

  private static let cellM = 25.0

  private(set) var samples: [Sample] = []
  private var segments: [Segment] = []
  private var grid: [Cell: [Int32]] = [:]

  init(_ lines: [[Coordinate]], plane: RouteMismatch.Plane) {
    for line in lines {
      let points = line.map { plane.point($0) }
      for (a, b) in zip(points, points.dropFirst()) {
        let dx = b.x - a.x
        let dy = b.y - a.y
        let length = (dx * dx + dy * dy).squareRoot()
        guard length >= 1e-9 else { continue }
        add(Segment(x: a.x, y: a.y, dx: dx, dy: dy, lengthM: length))
      }
    }
  }

  private mutating func add(_ segment: Segment) {
    let number = Int32(segments.count)
    segments.append(segment)
    var last: Cell?
    let count = Int(segment.lengthM / (Self.cellM / 2)) + 1
    for i in 0...count {
      let part = Double(i) / Double(count)
      let cell = Self.cell(segment.x + part * segment.dx, segment.y + part * segment.dy)
      guard cell != last else { continue }
      last = cell
      grid[cell, default: []].append(number)
    }
    let parts = max(1, Int((segment.lengthM / RouteMismatch.stepM).rounded()))
    for i in 0..<parts {
      let part = (Double(i) + 0.5) / Double(parts)
      samples.append(
        Sample(
          x: segment.x + part * segment.dx, y: segment.y + part * segment.dy,
          directionX: segment.dx / segment.lengthM, directionY: segment.dy / segment.lengthM,
          lengthM: segment.lengthM / Double(parts)))
    }
  }

  private static func cell(_ x: Double, _ y: Double) -> Cell {
    Cell(x: Int32((x / cellM).rounded(.down)), y: Int32((y / cellM).rounded(.down)))
  }

  /// The nearest point of the lines, of any direction; nil where none is so near.
  func nearest(to sample: Sample, withinM: Double) -> Sample? {
    let middle = Self.cell(sample.x, sample.y)
    let reach = Int32((withinM / Self.cellM).rounded(.up))
    var (best, square) = (Sample?.none, withinM * withinM)
    for x in (middle.x - reach)...(middle.x + reach) {
      for y in (middle.y - reach)...(middle.y + reach) {
        for number in grid[Cell(x: x, y: y)] ?? [] {
          let s = segments[Int(number)]
          let along = ((sample.x - s.x) * s.dx + (sample.y - s.y) * s.dy) / (s.lengthM * s.lengthM)
          let part = min(1, max(0, along))
          let (x, y) = (s.x + part * s.dx, s.y + part * s.dy)
          let away = (sample.x - x) * (sample.x - x) + (sample.y - y) * (sample.y - y)
          guard away <= square else { continue }
          square = away
          best = Sample(
            x: x, y: y, directionX: s.dx / s.lengthM, directionY: s.dy / s.lengthM, lengthM: 0)
        }
      }
    }
    return best
  }

  /// Whether a line lies within `toleranceM` of a sample and goes its way: the cosine between is not less.
  func covers(
    _ sample: Sample, toleranceM: Double = RouteMismatch.toleranceM,
    leastCosine: Double = RouteMismatch.leastCosine, beyondM: Double = -1
  ) -> Bool {
    let middle = Self.cell(sample.x, sample.y)
    let reach = Int32((toleranceM / Self.cellM).rounded(.up))
    for x in (middle.x - reach)...(middle.x + reach) {
      for y in (middle.y - reach)...(middle.y + reach) {
        for number in grid[Cell(x: x, y: y)] ?? [] {
          let s = segments[Int(number)]
          let cosine = (s.dx * sample.directionX + s.dy * sample.directionY) / s.lengthM
          guard cosine >= leastCosine else { continue }
          let along = ((sample.x - s.x) * s.dx + (sample.y - s.y) * s.dy) / (s.lengthM * s.lengthM)
          let part = min(1, max(0, along))
          let x = sample.x - s.x - part * s.dx
          let y = sample.y - s.y - part * s.dy
          let square = x * x + y * y
          if square <= toleranceM * toleranceM, square > beyondM { return true }
        }
      }
    }
    return false
  }
}
