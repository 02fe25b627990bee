import RealModule

/// The outlines of drawn lines on the ground: convex polygons of one orientation, so that together
/// they fill the line without gaps or holes.
public struct LineOutline: Sendable {
  /// The corners of all polygons, one after the other.
  public private(set) var points: [GroundPoint] = []
  /// The index after the last corner of each polygon.
  public private(set) var ends: [Int] = []

  public init() {}

  public mutating func removeAll() {
    points.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  /// Adds a line of a width in pixels, with round joins, and round ends if it has them; linear in
  /// the points.
  public mutating func add(_ line: [GroundPoint], widthPx: Double, hasRoundEnds: Bool) {
    guard line.count > 1, widthPx > 0 else { return }
    let half = widthPx / 2
    var before: (x: Double, y: Double)?
    var last: (point: GroundPoint, x: Double, y: Double)?
    for (a, b) in zip(line, line.dropFirst()) {
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let length = (dx * dx + dy * dy).squareRoot()
      guard length > 1e-9 else { continue }
      let normal = (x: -dy / length * half, y: dx / length * half)
      if let before {
        join(at: a, from: before, to: normal)
      } else if hasRoundEnds, widthPx > 1.5 {
        fan(at: a, from: normal, turningBy: .pi, half: half)
      }
      polygon([
        GroundPoint(x: a.x - normal.x, y: a.y - normal.y),
        GroundPoint(x: b.x - normal.x, y: b.y - normal.y),
        GroundPoint(x: b.x + normal.x, y: b.y + normal.y),
        GroundPoint(x: a.x + normal.x, y: a.y + normal.y),
      ])
      before = normal
      last = (b, normal.x, normal.y)
    }
    if let last, hasRoundEnds, widthPx > 1.5 {
      fan(at: last.point, from: (-last.x, -last.y), turningBy: .pi, half: half)
    }
  }

  /// Fills the gap on the outer side of a bend.
  private mutating func join(
    at point: GroundPoint, from a: (x: Double, y: Double), to b: (x: Double, y: Double)
  ) {
    let cross = a.x * b.y - a.y * b.x
    let dot = a.x * b.x + a.y * b.y
    let angle = Double.atan2(y: cross, x: dot)
    guard angle.magnitude > 0.01 else { return }
    let half = (a.x * a.x + a.y * a.y).squareRoot()
    // A bend to the left opens its gap on the right.
    if angle > 0 {
      fan(at: point, from: (-a.x, -a.y), turningBy: angle, half: half)
    } else {
      fan(at: point, from: b, turningBy: -angle, half: half)
    }
  }

  /// A sector around `point`, from a direction counter-clockwise.
  private mutating func fan(
    at point: GroundPoint, from start: (x: Double, y: Double), turningBy angle: Double,
    half: Double
  ) {
    let step = half > 12 ? 0.3 : half > 4 ? 0.5 : 0.8
    let count = max(1, Int((angle / step).rounded(.up)))
    var corners = [point]
    corners.reserveCapacity(count + 2)
    for index in 0...count {
      let turn = angle * Double(index) / Double(count)
      let (c, s) = (Double.cos(turn), Double.sin(turn))
      corners.append(
        GroundPoint(
          x: point.x + start.x * c - start.y * s, y: point.y + start.x * s + start.y * c))
    }
    polygon(corners)
  }

  private mutating func polygon(_ corners: [GroundPoint]) {
    points.append(contentsOf: corners)
    ends.append(points.count)
  }

  /// The dashes of a line: `pattern` has the lengths of dash and gap in pixels, alternating.
  public static func dashes(_ line: [GroundPoint], pattern: [Double]) -> [[GroundPoint]] {
    let whole = pattern.reduce(0, +)
    guard whole > 0.5, pattern.count > 1 else { return [line] }
    var dashes: [[GroundPoint]] = []
    var index = 0
    var left = pattern[0]
    var open: [GroundPoint] = line.first.map { [$0] } ?? []
    for (a, b) in zip(line, line.dropFirst()) {
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let length = (dx * dx + dy * dy).squareRoot()
      guard length > 1e-9 else { continue }
      var done = 0.0
      while length - done > left {
        done += left
        let point = GroundPoint(x: a.x + dx * done / length, y: a.y + dy * done / length)
        if index.isMultiple(of: 2) {
          open.append(point)
          if open.count > 1 { dashes.append(open) }
          open = []
        } else {
          open = [point]
        }
        index = (index + 1) % pattern.count
        left = pattern[index]
      }
      left -= length - done
      if index.isMultiple(of: 2) { open.append(b) }
    }
    if open.count > 1 { dashes.append(open) }
    return dashes
  }

  /// The parts of a line within a range ahead; a line that crosses it is cut.
  public static func clipped(
    _ line: [GroundPoint], aheadPx range: ClosedRange<Double>
  ) -> [[GroundPoint]] {
    if line.allSatisfy({ range.contains($0.y) }) { return [line] }
    var parts: [[GroundPoint]] = []
    var open: [GroundPoint] = []
    for (a, b) in zip(line, line.dropFirst()) {
      guard let (from, to) = crossing(a, b, range) else {
        if open.count > 1 { parts.append(open) }
        open = []
        continue
      }
      if open.last != from {
        if open.count > 1 { parts.append(open) }
        open = [from]
      }
      open.append(to)
    }
    if open.count > 1 { parts.append(open) }
    return parts
  }

  /// A ring cut to a range ahead (Sutherland and Hodgman, 1974); empty if nothing is left.
  public static func clippedRing(
    _ ring: [GroundPoint], aheadPx range: ClosedRange<Double>
  ) -> [GroundPoint] {
    if ring.allSatisfy({ range.contains($0.y) }) { return ring }
    let low = half(ring, at: range.lowerBound) { $0 >= range.lowerBound }
    return half(low, at: range.upperBound) { $0 <= range.upperBound }
  }

  private static func half(
    _ ring: [GroundPoint], at y: Double, _ isInside: (Double) -> Bool
  ) -> [GroundPoint] {
    guard var before = ring.last else { return [] }
    var kept: [GroundPoint] = []
    for point in ring {
      if isInside(point.y) != isInside(before.y) {
        let share = (y - before.y) / (point.y - before.y)
        kept.append(GroundPoint(x: before.x + (point.x - before.x) * share, y: y))
      }
      if isInside(point.y) { kept.append(point) }
      before = point
    }
    return kept
  }

  private static func crossing(
    _ a: GroundPoint, _ b: GroundPoint, _ range: ClosedRange<Double>
  ) -> (GroundPoint, GroundPoint)? {
    let (low, high) = (min(a.y, b.y), max(a.y, b.y))
    guard high >= range.lowerBound, low <= range.upperBound else { return nil }
    func at(_ y: Double) -> GroundPoint {
      let share = (y - a.y) / (b.y - a.y)
      return GroundPoint(x: a.x + (b.x - a.x) * share, y: y)
    }
    func moved(_ point: GroundPoint) -> GroundPoint {
      if point.y < range.lowerBound { return at(range.lowerBound) }
      return point.y > range.upperBound ? at(range.upperBound) : point
    }
    return (moved(a), moved(b))
  }
}
