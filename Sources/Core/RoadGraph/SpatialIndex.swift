public import Geodesy

/// A box of the spatial index: degrees times 10^7, ends included.
@frozen
public struct IndexBox: Hashable, Sendable, BitwiseCopyable {
  public var south: Int32
  public var west: Int32
  public var north: Int32
  public var east: Int32
  /// A leaf's piece; above the leaves the index of the first of the boxes that it holds.
  public var item: UInt32

  public init(south: Int32, west: Int32, north: Int32, east: Int32, item: UInt32) {
    self.south = south
    self.west = west
    self.north = north
    self.east = east
    self.item = item
  }

  mutating func cover(_ other: IndexBox) {
    south = min(south, other.south)
    west = min(west, other.west)
    north = max(north, other.north)
    east = max(east, other.east)
  }

  @inlinable func meets(_ other: IndexBox) -> Bool {
    south <= other.north && other.south <= north && west <= other.east && other.west <= east
  }
}

/// A packed R-tree over the pieces of road, in the order of a Hilbert curve.
///
/// I. Kamel and C. Faloutsos, "Hilbert R-tree: An Improved R-tree Using Fractals", VLDB 1994. The
/// leaves come first, 16 boxes to a parent, so that the file stores no pointers below the leaves' own.
public enum SpatialIndex {
  static let fanOut = 16

  /// The index of a graph's pieces; n log n in them.
  ///
  /// Needs the node, edge and piece columns of `columns`; the index columns are not read.
  public static func build(
    for columns: RoadColumns
  ) -> (boxes: Column<IndexBox>, levels: Column<UInt32>) {
    var leaves = (0..<columns.pieceEdge.count).map { leaf(columns, piece: $0) }
    let order = leaves.map { box in
      hilbert(
        x: UInt32(bitPattern: box.west / 2 &+ box.east / 2) ^ 0x8000_0000,
        y: UInt32(bitPattern: box.south / 2 &+ box.north / 2) ^ 0x8000_0000)
    }
    let sorted = leaves.indices.sorted { (order[$0], $0) < (order[$1], $1) }
    leaves = sorted.map { leaves[$0] }
    var boxes = leaves
    var levels: [UInt32] = leaves.isEmpty ? [] : [0]
    var first = 0
    while boxes.count - first > 1 {
      let next = boxes.count
      levels.append(UInt32(next))
      for start in stride(from: first, to: next, by: fanOut) {
        var parent = boxes[start]
        for child in start..<min(start + fanOut, next) { parent.cover(boxes[child]) }
        parent.item = UInt32(start)
        boxes.append(parent)
      }
      first = next
    }
    return (Column(boxes), Column(levels))
  }

  private static func leaf(_ columns: RoadColumns, piece: Int) -> IndexBox {
    let edge = columns.pieceEdge[piece].index
    let ends = [columns.tail[edge].index, columns.head[edge].index]
    var box = IndexBox(
      south: .max, west: .max, north: .min, east: .min, item: UInt32(piece))
    func add(_ lat: Int32, _ lon: Int32) {
      box.cover(IndexBox(south: lat, west: lon, north: lat, east: lon, item: 0))
    }
    for node in ends { add(columns.nodeLatitude[node], columns.nodeLongitude[node]) }
    for i in Int(columns.firstPoint[piece])..<Int(columns.firstPoint[piece + 1]) {
      add(columns.pointLatitude[i], columns.pointLongitude[i])
    }
    return box
  }

  /// The place of a cell on the Hilbert curve of order 32.
  ///
  /// J. Skilling, "Programming the Hilbert curve", AIP Conf. Proc. 707 (2004), for two dimensions.
  static func hilbert(x: UInt32, y: UInt32) -> UInt64 {
    var (x, y) = (x, y)
    var place: UInt64 = 0
    var side: UInt32 = 1 << 31
    while side > 0 {
      let right: UInt32 = x & side != 0 ? 1 : 0
      let upper: UInt32 = y & side != 0 ? 1 : 0
      place = place << 2 | UInt64((3 &* right) ^ upper)
      if upper == 0 {
        if right == 1 {
          x = ~x
          y = ~y
        }
        swap(&x, &y)
      }
      side >>= 1
    }
    return place
  }

  static func bounds(of columns: RoadColumns) -> BoundingBox? {
    guard let root = columns.boxes.records.last else { return nil }
    return BoundingBox(
      southDeg: Double(root.south) / 1e7, westDeg: Double(root.west) / 1e7,
      northDeg: Double(root.north) / 1e7, eastDeg: Double(root.east) / 1e7)
  }

  static func validate(_ columns: RoadColumns) throws(GraphFault) {
    let pieces = columns.pieceEdge.count
    var expected: [UInt32] = []
    var total = 0
    var level = pieces
    while level > 0 {
      expected.append(UInt32(total))
      total += level
      level = level == 1 ? 0 : (level + fanOut - 1) / fanOut
    }
    guard columns.boxes.count == total else {
      throw .wrongCount(column: "index.box", expected: total, found: columns.boxes.count)
    }
    guard columns.boxLevel.records.elementsEqual(expected) else {
      throw .wrongCount(
        column: "index.level", expected: expected.count, found: columns.boxLevel.count)
    }
    for (depth, first) in expected.enumerated() {
      let end = depth + 1 < expected.count ? Int(expected[depth + 1]) : total
      for i in Int(first)..<end {
        let item = Int(columns.boxes.records[i].item)
        let limit = depth == 0 ? pieces : Int(first)
        let lowest = depth == 0 ? 0 : Int(expected[depth - 1])
        guard item >= lowest, item < limit else {
          throw .outOfRange(
            column: "index.box", record: i, value: UInt64(item), limit: UInt64(limit))
        }
      }
    }
  }
}

extension RoadGraph {
  /// Calls `visit` with each piece whose box meets `area`; logarithmic plus what is found.
  public func forEachPiece(in area: BoundingBox, _ visit: (Int) -> Void) {
    let query = IndexBox(
      south: Self.fixed(area.southDeg), west: Self.fixed(area.westDeg),
      north: Self.fixed(area.northDeg), east: Self.fixed(area.eastDeg), item: 0)
    let levels = columns.boxLevel.count
    guard levels > 0 else { return }
    var open: [(box: Int, level: Int)] = [(columns.boxes.count - 1, levels - 1)]
    while let (index, level) = open.popLast() {
      let box = columns.boxes[index]
      guard box.meets(query) else { continue }
      if level == 0 {
        visit(Int(box.item))
      } else {
        let end = min(Int(box.item) + SpatialIndex.fanOut, Int(columns.boxLevel[level]))
        for child in (Int(box.item)..<end).reversed() { open.append((child, level - 1)) }
      }
    }
  }

  private static func fixed(_ degrees: Double) -> Int32 {
    Int32(Double.maximum(-2e9, Double.minimum(2e9, (degrees * 1e7).rounded())))
  }

  /// The directed edges with a point within `radiusM` of `place`, each with its nearest point, the nearest first.
  ///
  /// Both directions of a two-way road are listed. The order of equally near edges is that of their ids.
  public func edges(near place: Coordinate, withinM radiusM: Double) -> [NearbyEdge] {
    guard place.isValid, radiusM >= 0 else { return [] }
    let area = BoundingBox(
      southDeg: place.latitudeDeg, westDeg: place.longitudeDeg, northDeg: place.latitudeDeg,
      eastDeg: place.longitudeDeg
    ).expanded(byM: radiusM * 1.001 + 0.01)
    let plane = LocalPlane(origin: place)
    var found: [NearbyEdge] = []
    forEachPiece(in: area) { piece in
      let edge = columns.pieceEdge[piece]
      guard let foot = nearestPoint(on: edge, plane: plane), foot.distanceM <= radiusM else {
        return
      }
      found.append(foot)
      if let twin = twin(edge) {
        found.append(
          NearbyEdge(
            position: RoadPosition(
              edge: twin, offsetM: Double.maximum(0, lengthM(edge) - foot.position.offsetM)),
            coordinate: foot.coordinate, distanceM: foot.distanceM,
            bearingDeg: Angle.normalizedDeg(foot.bearingDeg + 180)))
      }
    }
    found.sort { ($0.distanceM, $0.position.edge) < ($1.distanceM, $1.position.edge) }
    return found
  }

  /// The nearest point of one edge to the plane's origin; nil for an edge of no length.
  public func nearestPoint(on edge: EdgeID, plane: LocalPlane) -> NearbyEdge? {
    let here = PlanePoint(eastM: 0, northM: 0)
    var last: PlanePoint?
    var walkedM = 0.0
    var best = (distanceM: Double.infinity, offsetM: 0.0, foot: here, east: 0.0, north: 0.0)
    forEachPoint(edge) { coordinate in
      let point = plane.point(coordinate)
      if let from = last {
        let length = from.distanceM(to: point)
        let (fraction, distance) = here.projected(onto: from, point)
        if distance < best.distanceM, length > 0 {
          let east = point.eastM - from.eastM
          let north = point.northM - from.northM
          let foot = PlanePoint(
            eastM: from.eastM + fraction * east, northM: from.northM + fraction * north)
          best = (distance, walkedM + fraction * length, foot, east, north)
        }
        walkedM += length
      }
      last = point
    }
    guard best.distanceM < .infinity, walkedM > 0 else { return nil }
    let bearing = LocalPlane.bearingDeg(eastM: best.east, northM: best.north)
    return NearbyEdge(
      position: RoadPosition(edge: edge, offsetM: best.offsetM * lengthM(edge) / walkedM),
      coordinate: plane.coordinate(best.foot), distanceM: best.distanceM, bearingDeg: bearing)
  }
}

/// A directed edge near some place, and its nearest point.
public struct NearbyEdge: Hashable, Sendable {
  public var position: RoadPosition
  public var coordinate: Coordinate
  /// Metres between the place and the edge.
  public var distanceM: Double
  /// Direction of travel at the nearest point, clockwise from north.
  public var bearingDeg: Double

  public init(
    position: RoadPosition, coordinate: Coordinate, distanceM: Double, bearingDeg: Double
  ) {
    self.position = position
    self.coordinate = coordinate
    self.distanceM = distanceM
    self.bearingDeg = bearingDeg
  }
}
