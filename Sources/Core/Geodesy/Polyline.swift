import RealModule

/// A line through places, with the metres from its start to each of them.
public struct Polyline: Hashable, Sendable {
  public let points: [Coordinate]
  /// Metres from the start, shape `[points.count]`; never decreases.
  public let offsetsM: [Double]

  /// A line through `points`; one point gives a line of zero length, none an empty one.
  ///
  /// Linear in the points.
  public init(_ points: [Coordinate]) {
    self.points = points
    var offsets: [Double] = []
    offsets.reserveCapacity(points.count)
    var total = 0.0
    var cosBefore = 1.0
    for i in points.indices {
      let cosHere = Earth.cosine(latitudeDeg: points[i].latitudeDeg)
      if i > 0 {
        total += points[i - 1].stepM(to: points[i], cosines: cosBefore * cosHere)
      }
      cosBefore = cosHere
      offsets.append(total)
    }
    self.offsetsM = offsets
  }

  public var lengthM: Double { offsetsM.last ?? 0 }

  /// The index of the segment at `offsetM`, and the fraction within it, 0 to 1; nil for fewer than
  /// two points.
  public func place(atM offsetM: Double) -> (segment: Int, fraction: Double)? {
    guard points.count > 1 else { return nil }
    var low = 0
    var high = points.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if offsetsM[middle] <= offsetM { low = middle } else { high = middle }
    }
    let length = offsetsM[low + 1] - offsetsM[low]
    let fraction = length > 0 ? (offsetM - offsetsM[low]) / length : 0
    return (low, Double.minimum(1, Double.maximum(0, fraction)))
  }

  /// The place at `offsetM`, limited to the ends of the line; nil for an empty line.
  public func coordinate(atM offsetM: Double) -> Coordinate? {
    guard let (segment, fraction) = place(atM: offsetM) else { return points.first }
    return points[segment].interpolated(to: points[segment + 1], fraction: fraction)
  }

  /// The direction of travel at `offsetM`; nil for a line of zero length.
  public func bearingDeg(atM offsetM: Double) -> Double? {
    guard lengthM > 0, let (start, _) = place(atM: offsetM) else { return nil }
    var segment = start
    while segment + 2 < points.count, offsetsM[segment + 1] - offsetsM[segment] <= 0 {
      segment += 1
    }
    while segment > 0, offsetsM[segment + 1] - offsetsM[segment] <= 0 { segment -= 1 }
    return points[segment].bearingDeg(to: points[segment + 1])
  }

  /// The point of the line nearest to `place`; nil for an empty line.
  ///
  /// Linear in the points.
  public func projection(of place: Coordinate) -> Projection? {
    projection(of: place, fromM: 0, toM: lengthM)
  }

  /// The point nearest to `place` on the part from `fromM` to `toM`; nil for an empty line.
  public func projection(of place: Coordinate, fromM: Double, toM: Double) -> Projection? {
    guard let first = points.first else { return nil }
    guard let start = self.place(atM: fromM), let end = self.place(atM: toM) else {
      return Projection(
        coordinate: first, offsetM: 0, distanceM: place.distanceM(to: first), segment: 0)
    }
    let plane = LocalPlane(origin: place)
    let here = PlanePoint(eastM: 0, northM: 0)
    var best: Projection?
    for segment in start.segment...max(start.segment, end.segment) {
      let a = plane.point(points[segment])
      let b = plane.point(points[segment + 1])
      var (fraction, distance) = here.projected(onto: a, b)
      let length = offsetsM[segment + 1] - offsetsM[segment]
      let free = offsetsM[segment] + fraction * length
      let bound = Double.minimum(toM, Double.maximum(fromM, free))
      if bound != free, length > 0 {
        fraction = (bound - offsetsM[segment]) / length
        distance = here.distanceM(
          to: PlanePoint(
            eastM: a.eastM + fraction * (b.eastM - a.eastM),
            northM: a.northM + fraction * (b.northM - a.northM)))
      }
      guard distance < best?.distanceM ?? .infinity else { continue }
      best = Projection(
        coordinate: points[segment].interpolated(to: points[segment + 1], fraction: fraction),
        offsetM: offsetsM[segment] + fraction * length, distanceM: distance, segment: segment)
    }
    return best
  }

  /// The part from `fromM` to `toM`, including the cut ends; at least one point if the line has
  /// one.
  public func slice(fromM: Double, toM: Double) -> [Coordinate] {
    guard let start = place(atM: fromM), let end = place(atM: toM), fromM <= toM else {
      return points.first.map { [$0] } ?? []
    }
    var part: [Coordinate] = []
    func add(_ c: Coordinate) { if part.last != c { part.append(c) } }
    if let head = coordinate(atM: fromM) { add(head) }
    if end.segment > start.segment {
      for i in (start.segment + 1)...end.segment { add(points[i]) }
    }
    if let tail = coordinate(atM: toM) { add(tail) }
    return part
  }
}

/// The point of a line nearest to some place.
public struct Projection: Hashable, Sendable {
  public var coordinate: Coordinate
  /// Metres from the start of the line.
  public var offsetM: Double
  /// Metres between the place and the line.
  public var distanceM: Double
  /// Index of the point where the nearest segment begins.
  public var segment: Int

  public init(coordinate: Coordinate, offsetM: Double, distanceM: Double, segment: Int) {
    self.coordinate = coordinate
    self.offsetM = offsetM
    self.distanceM = distanceM
    self.segment = segment
  }
}

extension Coordinate {
  /// The place at `fraction` of the straight line to `other`, in degrees; for pieces of road, not
  /// for oceans.
  @inlinable public func interpolated(to other: Coordinate, fraction: Double) -> Coordinate {
    Coordinate(
      latitudeDeg: latitudeDeg + (other.latitudeDeg - latitudeDeg) * fraction,
      longitudeDeg: Angle.signedDeg(
        longitudeDeg + Angle.signedDeg(other.longitudeDeg - longitudeDeg) * fraction))
  }
}

extension Polyline: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Coordinate].self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(points)
  }
}
