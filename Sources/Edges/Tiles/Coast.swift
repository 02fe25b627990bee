import BaseMap
import Geodesy

/// The coastlines of a map, joined end to end, for the question whether a place without one near it
/// is sea or land.
struct Coast: Sendable {
  /// A coastline, longitude and latitude in millionths of a degree, in stretches with a box each.
  private struct Line {
    static let stretchLength = 256

    let points: [BaseMapPoint]
    let boxes: [BaseMapBox]

    init(_ points: [BaseMapPoint]) {
      self.points = points
      boxes = stride(from: 0, to: max(1, points.count - 1), by: Self.stretchLength).map { first in
        BaseMapBox(points[first...min(first + Self.stretchLength, points.count - 1)])
      }
    }

    var isClosed: Bool { points.first == points.last }

    /// The points of some stretches that follow each other.
    func points(of stretches: Range<Int>) -> ArraySlice<BaseMapPoint> {
      let first = stretches.lowerBound * Self.stretchLength
      return points[first...min(stretches.upperBound * Self.stretchLength, points.count - 1)]
    }

    /// The runs of stretches that meet a box; a run begins and ends outside the box, or where the line
    /// does.
    func runs(meeting box: BaseMapBox) -> [[BaseMapPoint]] {
      var runs: [Range<Int>] = []
      for index in boxes.indices where boxes[index].intersects(box) {
        if let last = runs.last, last.upperBound == index {
          runs[runs.count - 1] = last.lowerBound..<(index + 1)
        } else {
          runs.append(index..<(index + 1))
        }
      }
      var parts = runs.map { Array(points(of: $0)) }
      // Of a closed line the last run continues as the first one.
      if isClosed, runs.count > 1, runs[0].lowerBound == 0,
        runs[runs.count - 1].upperBound == boxes.count
      {
        parts[0] = parts.removeLast() + parts[0].dropFirst()
      }
      return parts
    }
  }

  private let lines: [Line]

  /// The coastlines of a map; linear in their points.
  init(_ map: BaseMap) {
    var parts: [[BaseMapPoint]] = []
    for feature in map.coastlines() {
      if let line = feature.rings.first { parts.append(line) }
    }
    lines = Self.joined(parts).map { Line($0) }
  }

  var isEmpty: Bool { lines.isEmpty }

  /// The parts of lines near a box, in a frame: whole lines, or parts that begin and end outside the
  /// box.
  ///
  /// Linear in the stretches of all lines and in the points of those that meet the box.
  func lines(near box: BaseMapBox, in frame: TileFrame) -> [[TilePoint]] {
    lines.flatMap { $0.runs(meeting: box) }.map { part in part.map { frame.point($0) } }
  }

  /// Whether the middle of a tile is sea, by the side of the nearest coastline on which it lies.
  ///
  /// Linear in the stretches of all lines, and in the points of those that may be the nearest.
  func isSea(at place: BaseMapPoint) -> Bool {
    let place = Vector(place)
    var best = (squared: Double.infinity, isRight: false)
    for line in lines {
      for (stretch, box) in line.boxes.enumerated()
      where Self.squaredDistance(place, box) <= best.squared {
        for index in line.points(of: stretch..<(stretch + 1)).indices.dropLast() {
          let found = Self.side(place, line.points, index)
          if found.squared < best.squared { best = found }
        }
      }
    }
    return best.isRight
  }

  /// A place or a direction, in millionths of a degree.
  private struct Vector {
    var x: Double
    var y: Double

    init(_ point: BaseMapPoint) {
      x = Double(point.longitudeE6)
      y = Double(point.latitudeE6)
    }

    init(from a: Vector, to b: Vector) {
      x = b.x - a.x
      y = b.y - a.y
    }

    /// Positive where `other` points further to the left.
    func cross(_ other: Vector) -> Double { x * other.y - y * other.x }
    func dot(_ other: Vector) -> Double { x * other.x + y * other.y }
  }

  /// One segment of a coastline.
  private struct Segment {
    let start: Vector
    let direction: Vector

    init(_ a: BaseMapPoint, _ b: BaseMapPoint) {
      start = Vector(a)
      direction = Vector(from: start, to: Vector(b))
    }

    func hasOnRight(_ place: Vector) -> Bool {
      direction.cross(Vector(from: start, to: place)) < 0
    }
  }

  private static func squaredDistance(_ place: Vector, _ box: BaseMapBox) -> Double {
    let x = max(Double(box.westE6) - place.x, 0, place.x - Double(box.eastE6))
    let y = max(Double(box.southE6) - place.y, 0, place.y - Double(box.northE6))
    return x * x + y * y
  }

  /// The squared distance to the segment that begins at `index`, and whether the place lies to its
  /// right.
  ///
  /// Longitudes count as latitudes, which moves no place to the other side.
  private static func side(
    _ place: Vector, _ line: [BaseMapPoint], _ index: Int
  ) -> (squared: Double, isRight: Bool) {
    let segment = Segment(line[index], line[index + 1])
    let toPlace = Vector(from: segment.start, to: place)
    let length = segment.direction.dot(segment.direction)
    let along = length == 0 ? 0 : toPlace.dot(segment.direction) / length
    let clamped = min(max(along, 0), 1)
    let x = segment.direction.x * clamped - toPlace.x
    let y = segment.direction.y * clamped - toPlace.y
    let squared = x * x + y * y
    let isRight = segment.hasOnRight(place)
    guard along < 0 || along > 1, let other = neighbour(of: index, isNext: along > 1, line) else {
      return (squared, isRight)
    }
    // At a corner both segments are equally near: where the line turns left, the right side is that
    // of either, where it turns right, that of both.
    let (first, second) = along > 1 ? (segment, other) : (other, segment)
    let turnsLeft = first.direction.cross(second.direction) > 0
    let isOther = other.hasOnRight(place)
    return (squared, turnsLeft ? isRight || isOther : isRight && isOther)
  }

  /// The segment before or after the one at `index`; nil at the end of an open line.
  private static func neighbour(
    of index: Int, isNext: Bool, _ line: [BaseMapPoint]
  ) -> Segment? {
    let isClosed = line.first == line.last
    let last = line.count - 2
    let place = isNext ? index + 1 : index - 1
    if (0...last).contains(place) { return Segment(line[place], line[place + 1]) }
    guard isClosed else { return nil }
    return isNext ? Segment(line[0], line[1]) : Segment(line[last], line[last + 1])
  }

  /// Joins lines where one ends at the beginning of another.
  private static func joined(_ parts: [[BaseMapPoint]]) -> [[BaseMapPoint]] {
    var starts: [BaseMapPoint: [Int]] = [:]
    var isEnd: Set<BaseMapPoint> = []
    for (index, part) in parts.enumerated() {
      guard let first = part.first, let last = part.last else { continue }
      starts[first, default: []].append(index)
      isEnd.insert(last)
    }
    var isUsed = [Bool](repeating: false, count: parts.count)
    var lines: [[BaseMapPoint]] = []
    func follow(_ first: Int) {
      var line = parts[first]
      isUsed[first] = true
      while let end = line.last, let next = starts[end]?.first(where: { !isUsed[$0] }) {
        isUsed[next] = true
        line += parts[next].dropFirst()
      }
      lines.append(line)
    }
    // Beginnings where nothing ends come first, then what is left: rings.
    for index in parts.indices where parts[index].first.map({ !isEnd.contains($0) }) ?? false {
      if !isUsed[index] { follow(index) }
    }
    for index in parts.indices where !isUsed[index] && parts[index].count > 1 { follow(index) }
    return lines
  }
}
