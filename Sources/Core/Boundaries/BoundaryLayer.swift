import Geodesy
import RealModule

/// Non-overlapping areas, stored as the arcs between them: each arc has one area to its left and
/// one to its right.
///
/// As text it contains the number of arcs. For each arc it contains the areas to the left and right
/// (0 for none) and the number of its points. For each point it contains the differences of
/// longitude and latitude from the previous one, in thousandths of a degree. All numbers are
/// unsigned varints, the differences zigzag, in base64.
struct BoundaryLayer: Sendable {
  /// Columns of points; a segment joins a point and the next one of its arc.
  private var x: [Int32] = []
  private var y: [Int32] = []
  private var arc: [UInt32] = []
  /// Columns of arcs.
  private var left: [UInt16] = []
  private var right: [UInt16] = []
  /// Segments by bands of latitude, sorted by their western ends within each band.
  private var firstInBand: [Int] = []
  private var segment: [UInt32] = []
  /// The easternmost end of this and all segments before it in the band.
  private var reach: [Int32] = []

  private static let unitsPerDeg = 1000.0
  private static let mostX = 180_000
  private static let mostY = 90_000
  private static let bandHeight = 250
  private static let bandCount = 2 * mostY / bandHeight

  init() {}

  init(base64 text: String, areaCount: Int) throws(BoundaryFault) {
    var reader = try BoundaryReader(base64: text)
    let arcCount = try reader.count(limit: reader.remaining)
    var (lastX, lastY) = (0, 0)
    for index in 0..<arcCount {
      left.append(UInt16(try reader.count(limit: min(areaCount, Int(UInt16.max)))))
      right.append(UInt16(try reader.count(limit: min(areaCount, Int(UInt16.max)))))
      // Each point takes two bytes or more, so a damaged count does not allocate memory.
      for _ in 0..<(try reader.count(limit: reader.remaining / 2)) {
        lastX = try reader.number(after: lastX, limit: Self.mostX)
        lastY = try reader.number(after: lastY, limit: Self.mostY)
        x.append(Int32(lastX))
        y.append(Int32(lastY))
        arc.append(UInt32(index))
      }
    }
    sortIntoBands()
  }

  // MARK: Bands

  private func isSegment(_ point: Int) -> Bool {
    point + 1 < arc.count && arc[point] == arc[point + 1]
  }

  private func west(_ point: Int) -> Int32 { min(x[point], x[point + 1]) }
  private func east(_ point: Int) -> Int32 { max(x[point], x[point + 1]) }

  private static func band(_ y: Int32) -> Int {
    min(max((Int(y) + mostY) / bandHeight, 0), bandCount - 1)
  }

  private mutating func sortIntoBands() {
    var bands = [[UInt32]](repeating: [], count: Self.bandCount)
    for point in x.indices where isSegment(point) {
      let (a, b) = (y[point], y[point + 1])
      for band in Self.band(min(a, b))...Self.band(max(a, b)) { bands[band].append(UInt32(point)) }
    }
    firstInBand = [0]
    for band in bands {
      var furthest = Int32.min
      for point in band.sorted(by: { (west(Int($0)), $0) < (west(Int($1)), $1) }) {
        furthest = max(furthest, east(Int(point)))
        segment.append(point)
        reach.append(furthest)
      }
      firstInBand.append(segment.count)
    }
  }

  /// Number of segments up to and including those of a band that begin at or west of `x`.
  private func end(of band: Int, upTo x: Double) -> Int {
    var (low, high) = (firstInBand[band], firstInBand[band + 1])
    while low < high {
      let middle = (low + high) / 2
      if Double(west(Int(segment[middle]))) <= x { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Looking up

  /// The area of a place; 0 for none.
  ///
  /// If no area encloses the place, the nearest within `toleranceM` counts.
  func area(at place: Coordinate, toleranceM: Double) -> Int {
    guard !firstInBand.isEmpty, place.latitudeDeg.isFinite, place.longitudeDeg.isFinite,
      abs(place.latitudeDeg) <= 90, abs(place.longitudeDeg) <= 360
    else { return 0 }
    var longitudeDeg = place.longitudeDeg
    if longitudeDeg > 180 { longitudeDeg -= 360 }
    if longitudeDeg < -180 { longitudeDeg += 360 }
    let px = longitudeDeg * Self.unitsPerDeg
    var py = place.latitudeDeg * Self.unitsPerDeg
    // Points of arcs lie at whole units: slightly off them, each crossing belongs to one segment.
    if py == py.rounded() { py += 0.001 }
    let enclosing = area(westOf: px, py)
    if enclosing > 0 { return enclosing }
    let overlapping = area(around: px, py)
    if overlapping > 0 { return overlapping }
    return nearest(px, place.latitudeDeg * Self.unitsPerDeg, withinM: toleranceM)
  }

  /// The area to the east of the nearest line that lies to the west.
  private func area(westOf px: Double, _ py: Double) -> Int {
    let band = Self.band(Int32(py.rounded(.down)))
    var best = -Double.infinity
    var area = 0
    var place = end(of: band, upTo: px) - 1
    while place >= firstInBand[band], Double(reach[place]) >= best {
      let point = Int(segment[place])
      place -= 1
      let (ay, by) = (Double(y[point]), Double(y[point + 1]))
      guard (ay > py) != (by > py) else { continue }
      let (ax, bx) = (Double(x[point]), Double(x[point + 1]))
      let crossing = ax + (bx - ax) * (py - ay) / (by - ay)
      guard crossing <= px, crossing > best else { continue }
      best = crossing
      let owner = Int(arc[point])
      area = Int(by > ay ? right[owner] : left[owner])
    }
    return area
  }

  /// The first area that is entered more often than left on a line from the west.
  ///
  /// If areas overlap (the rivers that Germany and Luxembourg share, disputed land), the nearest
  /// line may end one area within another. Linear in the band.
  private func area(around px: Double, _ py: Double) -> Int {
    let band = Self.band(Int32(py.rounded(.down)))
    var depth: [Int: Int] = [:]
    for place in firstInBand[band]..<end(of: band, upTo: px) {
      let point = Int(segment[place])
      let (ay, by) = (Double(y[point]), Double(y[point + 1]))
      guard (ay > py) != (by > py) else { continue }
      let (ax, bx) = (Double(x[point]), Double(x[point + 1]))
      guard ax + (bx - ax) * (py - ay) / (by - ay) <= px else { continue }
      let owner = Int(arc[point])
      depth[Int(by > ay ? right[owner] : left[owner]), default: 0] += 1
      depth[Int(by > ay ? left[owner] : right[owner]), default: 0] -= 1
    }
    return depth.filter { $0.key > 0 && $0.value > 0 }.keys.min() ?? 0
  }

  /// The area at the nearest line that has one; 0 for none within the distance.
  private func nearest(_ px: Double, _ py: Double, withinM limitM: Double) -> Int {
    let metresPerUnit = 111_200 / Self.unitsPerDeg
    let narrowing = Double.maximum(
      Double.cos(py / Self.unitsPerDeg * .pi / 180), 0.05)
    let reachY = limitM / metresPerUnit
    let reachX = reachY / narrowing
    var bestSquare = reachY * reachY
    var area = 0
    let first = Self.band(Int32((py - reachY).rounded(.down)))
    let last = Self.band(Int32((py + reachY).rounded(.down)))
    for band in first...last {
      var place = end(of: band, upTo: px + reachX) - 1
      while place >= firstInBand[band], Double(reach[place]) >= px - reachX {
        let point = Int(segment[place])
        place -= 1
        let (ax, ay) = ((Double(x[point]) - px) * narrowing, Double(y[point]) - py)
        let (bx, by) = ((Double(x[point + 1]) - px) * narrowing, Double(y[point + 1]) - py)
        let (dx, dy) = (bx - ax, by - ay)
        let length = dx * dx + dy * dy
        let share =
          length > 0
          ? Double.minimum(Double.maximum(-(ax * dx + ay * dy) / length, 0), 1) : 0
        let (nx, ny) = (ax + share * dx, ay + share * dy)
        let square = nx * nx + ny * ny
        guard square < bestSquare else { continue }
        let owner = Int(arc[point])
        let side = left[owner] > 0 ? left[owner] : right[owner]
        // Between two areas, the side on which the place lies counts.
        let isLeft = dx * -ay - dy * -ax > 0
        let own = isLeft ? left[owner] : right[owner]
        bestSquare = square
        area = Int(own > 0 ? own : side)
      }
    }
    return area
  }
}
