import Geodesy

/// The segments of lines in rows by latitude, so that for a place only those near it are looked at.
struct SegmentRows {
  struct Segment {
    var from: Coordinate
    var to: Coordinate
  }

  private static let mostRows = 256
  private static let metresPerDegree = 111_000.0
  private let southDeg: Double
  private let rowDeg: Double
  private var rows: [[Segment]]

  /// Rows that hold each segment wherever a place may lie within `marginM` of it.
  ///
  /// Linear in the segments and the rows that they cross.
  init(_ lines: [[Coordinate]], isClosed: Bool, marginM: Double = 0) {
    var segments: [Segment] = []
    for line in lines {
      segments += zip(line, line.dropFirst()).map { Segment(from: $0, to: $1) }
      if isClosed, let first = line.first, let last = line.last, first != last {
        segments.append(Segment(from: last, to: first))
      }
    }
    let latitudes = lines.joined().map(\.latitudeDeg)
    let marginDeg = marginM / Self.metresPerDegree
    southDeg = (latitudes.min() ?? 0) - marginDeg
    let heightDeg = (latitudes.max() ?? 0) + marginDeg - southDeg
    let count = max(1, min(Self.mostRows, segments.count))
    rowDeg = Double.maximum(heightDeg / Double(count), 1e-9)
    rows = Array(repeating: [], count: count + 1)
    for segment in segments {
      let ends = [segment.from.latitudeDeg, segment.to.latitudeDeg]
      let low = row((ends.min() ?? 0) - marginDeg) ?? 0
      let high = row((ends.max() ?? 0) + marginDeg) ?? rows.count - 1
      for index in low...max(low, high) { rows[index].append(segment) }
    }
  }

  private func row(_ latitudeDeg: Double) -> Int? {
    let row = ((latitudeDeg - southDeg) / rowDeg).rounded(.down)
    return row >= 0 && row < Double(rows.count) ? Int(row) : nil
  }

  /// The segments that a place may be near.
  func segments(at place: Coordinate) -> [Segment] { row(place.latitudeDeg).map { rows[$0] } ?? [] }

  /// Whether closed lines enclose a place: even and odd, so that a place in a hole is outside.
  func encloses(_ at: Coordinate) -> Bool {
    var isIn = false
    for segment in segments(at: at) {
      let (a, b) = (segment.from, segment.to)
      guard (a.latitudeDeg > at.latitudeDeg) != (b.latitudeDeg > at.latitudeDeg) else { continue }
      let share = (at.latitudeDeg - a.latitudeDeg) / (b.latitudeDeg - a.latitudeDeg)
      let east = a.longitudeDeg + share * (b.longitudeDeg - a.longitudeDeg)
      if at.longitudeDeg < east { isIn.toggle() }
    }
    return isIn
  }

  /// Metres to the nearest segment, and its bearing; nil where none is near.
  func nearest(to at: Coordinate) -> (distanceM: Double, bearingDeg: Double)? {
    var best: (distanceM: Double, segment: Segment)?
    for segment in segments(at: at) {
      guard let foot = Polyline([segment.from, segment.to]).projection(of: at) else { continue }
      if foot.distanceM < best?.distanceM ?? .infinity { best = (foot.distanceM, segment) }
    }
    return best.map { ($0.distanceM, $0.segment.from.bearingDeg(to: $0.segment.to)) }
  }
}
