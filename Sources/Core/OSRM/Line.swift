import Documents
import Geodesy

/// Writes lines, and simplifies them for an overview.
extension JSONText {
  mutating func line(
    _ name: StaticString, _ points: some Collection<Coordinate>, _ geometry: OSRMGeometry
  ) {
    key(name)
    switch geometry {
    case .polyline: string(EncodedPolyline.encode(points, decimals: 5))
    case .polyline6: string(EncodedPolyline.encode(points, decimals: 6))
    case .geojson:
      object { json in
        json.list("coordinates", points) { $0.place($1) }
        json.field("type", "LineString")
      }
    }
  }

  mutating func place(_ place: Coordinate) {
    array { json in
      json.number(place.longitudeDeg, decimals: 6)
      json.number(place.latitudeDeg, decimals: 6)
    }
  }
}

/// A line with only the points that an overview needs.
///
/// D. Douglas and T. Peucker, "Algorithms for the reduction of the number of points required to
/// represent a digitized line or its caricature", *Cartographica* 10 (1973). n log n for roads; n²
/// at worst, so long lines are cut into stretches first.
struct OSRMOverviewLine {
  private static let stretch = 4096

  private let points: [Coordinate]
  private let plane: [PlanePoint]
  private let toleranceM: Double

  /// Reduces `points` to the detail of a map that shows the whole line in 1,500 pixels.
  init(_ points: [Coordinate]) {
    self.points = points
    guard let first = points.first, let box = BoundingBox(around: points) else {
      plane = []
      toleranceM = 0
      return
    }
    let flat = LocalPlane(origin: first)
    plane = points.map { flat.point($0) }
    let corner = Coordinate(latitudeDeg: box.southDeg, longitudeDeg: box.westDeg)
    let opposite = Coordinate(latitudeDeg: box.northDeg, longitudeDeg: box.eastDeg)
    toleranceM = corner.distanceM(to: opposite) / 1500
  }

  var thinned: [Coordinate] {
    guard points.count > 2 else { return points }
    var keeps = [Bool](repeating: false, count: points.count)
    for start in stride(from: 0, to: points.count - 1, by: Self.stretch) {
      keep(start, min(start + Self.stretch, points.count - 1), &keeps)
    }
    return points.indices.filter { keeps[$0] }.map { points[$0] }
  }

  private func keep(_ first: Int, _ last: Int, _ keeps: inout [Bool]) {
    keeps[first] = true
    keeps[last] = true
    var open = [(first, last)]
    while let (low, high) = open.popLast() {
      guard high - low > 1 else { continue }
      var farthest = (index: low, distanceM: toleranceM)
      for index in (low + 1)..<high {
        let distanceM = plane[index].projected(onto: plane[low], plane[high]).distanceM
        if distanceM > farthest.distanceM { farthest = (index, distanceM) }
      }
      guard farthest.index > low else { continue }
      keeps[farthest.index] = true
      open.append((low, farthest.index))
      open.append((farthest.index, high))
    }
  }
}
