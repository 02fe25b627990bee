/// The segments of lines in rows across their longer side, so that only segments near a place are
/// examined.
public struct SegmentRows: Sendable {
  /// A straight piece of a line.
  public struct Segment: Sendable {
    public var from: Coordinate
    public var to: Coordinate
    /// Its index among the consecutive segments of all lines.
    public var index: Int
  }

  private static let mostRows = 256
  /// Maximum average number of rows per segment; long segments that cross each other reduce the
  /// number of rows.
  private static let mostCopies = 4
  /// Whether rows are arranged from west to east, if the lines extend farther that way; otherwise
  /// from south to north.
  private let isByLongitude: Bool
  private let firstDeg: Double
  private let rowDeg: Double
  private var rows: [[Segment]]

  /// Total number of entries in all rows.
  public var entryCount: Int { rows.reduce(0) { $0 + $1.count } }

  /// Rows that contain each segment wherever a place may lie within `marginM` of it.
  ///
  /// Linear in the segments, in time and memory, whatever their shape.
  public init(_ lines: [[Coordinate]], isClosed: Bool, marginM: Double = 0) {
    var segments: [Segment] = []
    func add(_ from: Coordinate, _ to: Coordinate) {
      segments.append(Segment(from: from, to: to, index: segments.count))
    }
    for line in lines {
      for (from, to) in zip(line, line.dropFirst()) { add(from, to) }
      if isClosed, let first = line.first, let last = line.last, first != last { add(last, first) }
    }
    let box = BoundingBox(around: lines.flatMap { $0 })
    let farthestDeg = box.map { Double.maximum(abs($0.southDeg), abs($0.northDeg)) } ?? 0
    let plane = LocalPlane(origin: Coordinate(latitudeDeg: farthestDeg, longitudeDeg: 0))
    let shrink = Double.maximum(0.01, plane.metersPerDegreeEast / Earth.metersPerDegree)
    let heightDeg = box.map { $0.northDeg - $0.southDeg } ?? 0
    let widthDeg = box.map { $0.eastDeg - $0.westDeg } ?? 0
    isByLongitude = widthDeg * shrink > heightDeg
    let marginDeg = marginM / Earth.metersPerDegree / (isByLongitude ? shrink : 1)
    let startDeg = (isByLongitude ? box?.westDeg : box?.southDeg) ?? 0
    firstDeg = startDeg - marginDeg
    let lengthDeg = (isByLongitude ? widthDeg : heightDeg) + 2 * marginDeg

    let isByLongitude = isByLongitude
    // Degrees from the start of the first row.
    let bands = segments.map { segment -> (low: Double, high: Double) in
      let (a, b) = (
        Self.acrossDeg(segment.from, isByLongitude), Self.acrossDeg(segment.to, isByLongitude)
      )
      return (min(a, b) - startDeg, max(a, b) - startDeg + 2 * marginDeg)
    }
    var count = max(1, min(Self.mostRows, segments.count))
    var rowDeg = Self.rowDeg(lengthDeg, count)
    func entries() -> Int {
      bands.reduce(0) {
        $0 + Self.row($1.high, rowDeg, count) - Self.row($1.low, rowDeg, count) + 1
      }
    }
    while count > 1, entries() > Self.mostCopies * segments.count {
      count /= 2
      rowDeg = Self.rowDeg(lengthDeg, count)
    }
    self.rowDeg = rowDeg
    rows = Array(repeating: [], count: count)
    for (segment, band) in zip(segments, bands) {
      for index in Self.row(band.low, rowDeg, count)...Self.row(band.high, rowDeg, count) {
        rows[index].append(segment)
      }
    }
  }

  private static func acrossDeg(_ at: Coordinate, _ isByLongitude: Bool) -> Double {
    isByLongitude ? at.longitudeDeg : at.latitudeDeg
  }

  private static func rowDeg(_ lengthDeg: Double, _ count: Int) -> Double {
    Double.maximum(lengthDeg / Double(count), 1e-9)
  }

  /// The row at a number of degrees from the start of the first row, limited to the first and last
  /// row.
  private static func row(_ deg: Double, _ rowDeg: Double, _ count: Int) -> Int {
    Int(Double.minimum(Double(count - 1), Double.maximum(0, (deg / rowDeg).rounded(.down))))
  }

  /// The segments that may be near a place.
  public func segments(at place: Coordinate) -> [Segment] {
    let deg = Self.acrossDeg(place, isByLongitude) - firstDeg
    guard deg >= 0, deg <= rowDeg * Double(rows.count) + 1e-9 else { return [] }
    return rows[Self.row(deg, rowDeg, rows.count)]
  }

  /// Whether closed lines enclose a place, by the even-odd rule, so that a place in a hole is
  /// outside.
  ///
  /// A ray along the place's row meets only segments of that row.
  public func encloses(_ at: Coordinate) -> Bool {
    func across(_ point: Coordinate) -> Double { Self.acrossDeg(point, isByLongitude) }
    func along(_ point: Coordinate) -> Double { Self.acrossDeg(point, !isByLongitude) }
    var isIn = false
    for segment in segments(at: at) {
      let (a, b) = (segment.from, segment.to)
      guard (across(a) > across(at)) != (across(b) > across(at)) else { continue }
      let share = (across(at) - across(a)) / (across(b) - across(a))
      if along(at) < along(a) + share * (along(b) - along(a)) { isIn.toggle() }
    }
    return isIn
  }

  /// Distance to the nearest segment in metres, and its bearing; nil if none is near.
  public func nearest(to at: Coordinate) -> (distanceM: Double, bearingDeg: Double)? {
    var best: (distanceM: Double, segment: Segment)?
    for segment in segments(at: at) {
      guard let projection = Polyline([segment.from, segment.to]).projection(of: at) else {
        continue
      }
      if projection.distanceM < best?.distanceM ?? .infinity {
        best = (projection.distanceM, segment)
      }
    }
    return best.map { ($0.distanceM, $0.segment.from.bearingDeg(to: $0.segment.to)) }
  }
}
