import Foundations
import Geodesy
import MapMaking

/// The streets in the middle: columns from west to east, rows from south to north.
struct TownGrid {
  /// Metres east of each column, metres north of each row.
  static let columns: [Double] = (0...24).map { -1800 + 150 * Double($0) }
  static let rows: [Double] =
    (0..<10).map { -1300 + 130 * Double($0) } + (0...9).map { 1150 * Double($0) / 9 }

  static let west = 0
  static let middle = 12
  static let east = 24
  static let south = 0
  static let high = 10
  static let north = 19
  /// Columns between which Southern Way has two carriageways.
  static let dual = 7...17

  /// Crossings by column and row.
  var crossing: [[Int64]] = []
  /// Rings that replace a crossing.
  var rings: [TownGridPoint: [Int64]] = [:]
  /// Blocks with their way, by where they begin and whether they run east.
  var legs: [TownLegKey: TownLeg] = [:]

  /// The node at which a street that comes from `neighbour` meets a crossing.
  func end(_ spot: TownGridPoint, from neighbour: Int64, on canvas: TownCanvas) -> Int64 {
    if let ring = rings[spot] { return canvas.nearest(ring, to: neighbour) }
    return crossing[spot.column][spot.row]
  }
}

struct TownGridPoint: Hashable {
  var column: Int
  var row: Int
}

/// A block's street: from a crossing to the next one east, or the next one north.
struct TownLegKey: Hashable {
  var column: Int
  var row: Int
  var runsEast: Bool

  var start: TownGridPoint { TownGridPoint(column: column, row: row) }
  var end: TownGridPoint {
    runsEast
      ? TownGridPoint(column: column + 1, row: row) : TownGridPoint(column: column, row: row + 1)
  }
}

/// The nodes of a block's street, and the way that it became part of.
struct TownLeg {
  var nodes: [Int64]
  var way: Int64
}

extension TownMaker {
  /// Places the crossings: arterials straight, the others slightly shifted.
  mutating func layGrid() {
    let arterialColumns = [TownGrid.west, TownGrid.middle, TownGrid.east]
    let arterialRows = [TownGrid.south, TownGrid.high, TownGrid.north]
    for (i, east) in TownGrid.columns.enumerated() {
      var column: [Int64] = []
      for (j, north) in TownGrid.rows.enumerated() {
        let eastM = east + (arterialColumns.contains(i) ? 0 : 22 * random.swing())
        let northM = north + (arterialRows.contains(j) ? 0 : 18 * random.swing())
        column.append(canvas.node(eastM, northM))
      }
      grid.crossing.append(column)
    }
    for spot in [
      TownGridPoint(column: TownGrid.west, row: TownGrid.high),
      TownGridPoint(column: TownGrid.east, row: TownGrid.high),
    ] { ring(at: spot, radiusM: 24, nodes: 16, ["highway": "primary", "maxspeed": "30"]) }
    ring(
      at: TownGridPoint(column: 6, row: 5), radiusM: 12, nodes: 12,
      ["highway": "tertiary", "maxspeed": "30"])
    for spot in [TownGridPoint(column: 4, row: 14), TownGridPoint(column: 19, row: 6)] {
      canvas.tag(grid.crossing[spot.column][spot.row], "highway", "mini_roundabout")
    }
  }

  private mutating func ring(
    at spot: TownGridPoint, radiusM: Double, nodes: Int, _ tags: OSMTags
  ) {
    let middle = canvas.point(grid.crossing[spot.column][spot.row])
    grid.rings[spot] = canvas.roundabout(
      middle.eastM, middle.northM, radiusM: radiusM, nodes: nodes, tags)
  }

  mutating func buildGrid() {
    for j in TownGrid.rows.indices { buildLine(runsEast: true, index: j) }
    for i in TownGrid.columns.indices { buildLine(runsEast: false, index: i) }
  }

  /// Builds one row or column: blocks of one street with equal tags become one way.
  private mutating func buildLine(runsEast: Bool, index: Int) {
    let count = (runsEast ? TownGrid.columns.count : TownGrid.rows.count) - 1
    var style = TownStreetStyle(runsEast: runsEast, index: index)
    var open: (nodes: [Int64], tags: OSMTags, keys: [TownLegKey])?
    for k in 0..<count {
      let key = TownLegKey(
        column: runsEast ? k : index, row: runsEast ? index : k, runsEast: runsEast)
      guard let tags = style.tags(key, &names, &random) else {
        close(&open)
        style.endStreet()
        continue
      }
      let nodes = legNodes(key, isStraight: style.isArterial)
      if let line = open, line.tags == tags, line.nodes.last == nodes.first,
        !style.isCut(before: key)
      {
        open = (line.nodes + nodes.dropFirst(), tags, line.keys + [key])
      } else {
        close(&open)
        open = (nodes, tags, [key])
      }
    }
    close(&open)
  }

  private mutating func close(_ open: inout (nodes: [Int64], tags: OSMTags, keys: [TownLegKey])?) {
    guard let line = open else { return }
    let way = canvas.way(line.nodes, line.tags)
    for key in line.keys { grid.legs[key] = TownLeg(nodes: line.nodes, way: way) }
    open = nil
  }

  private mutating func legNodes(_ key: TownLegKey, isStraight: Bool) -> [Int64] {
    let a = grid.crossing[key.start.column][key.start.row]
    let b = grid.crossing[key.end.column][key.end.row]
    let from = grid.end(key.start, from: b, on: canvas)
    let to = grid.end(key.end, from: a, on: canvas)
    let isDualEnd =
      !key.runsEast && key.row == TownGrid.south && TownGrid.dual.contains(key.column)
    // Side streets of the dual carriageway end at its northern half, which is drawn later.
    let start = isDualEnd ? dualNode(key.column) : from
    if isStraight { return [start, to] }
    let bulge = 0.09 * random.swing()
    return [start] + canvas.arc(start, to, bulge: bulge, points: abs(bulge) > 0.045 ? 3 : 1) + [to]
  }

  /// The node of the westbound carriageway of Southern Way at a column.
  mutating func dualNode(_ column: Int) -> Int64 {
    let spot = TownGridPoint(column: column, row: -1)
    if let known = grid.rings[spot]?.first { return known }
    let point = canvas.point(grid.crossing[column][TownGrid.south])
    let isEnd = column == TownGrid.dual.lowerBound || column == TownGrid.dual.upperBound
    let node =
      isEnd
      ? grid.crossing[column][TownGrid.south] : canvas.node(point.eastM, point.northM + 18)
    grid.rings[spot] = [node]
    return node
  }
}
