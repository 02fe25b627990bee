import Foundations
import Geodesy
import MapMaking

extension TownMaker {
  /// Builds the land around the streets: sea and island, lake, woods, fields, park and houses.
  ///
  /// It comes last, so that the streets of a seed do not depend on it.
  mutating func buildLand() {
    coast()
    area([(-1870, -1345), (1870, -1345), (1870, 1195), (-1870, 1195)], ["landuse": "residential"])
    area([(150, -1880), (1750, -1900), (1750, -1400), (150, -1400)], ["landuse": "industrial"])
    area(
      [(-4100, -1200), (-3000, -1000), (-3010, 1500), (-4100, 1700)], ["natural": "wood"])
    area(
      [(-2800, -2000), (-1950, -1950), (-1950, -700), (-2500, -500), (-2850, -1100)],
      ["landuse": "meadow"])
    area([(-2500, 1650), (1900, 1860), (1800, 2550), (-2500, 2500)], ["landuse": "farmland"])
    area([(2700, -1000), (4100, -1300), (4100, 1500), (2750, 1400)], ["landuse": "forest"])
    area(
      [
        (park.west, park.south), (park.east, park.south), (park.east, park.north),
        (park.west, park.north),
      ],
      ["leisure": "park", "name": "Town Park"])
    ellipse(-2560, 750, radii: (170, 320), ["natural": "water", "name": "Mirror Lake"])
    houses()
  }

  /// The park around the paths of `buildExtras`, in metres.
  private var park: (west: Double, south: Double, east: Double, north: Double) {
    let (a, b) = (
      canvas.point(grid.crossing[19][15]), canvas.point(grid.crossing[21][17])
    )
    return (a.eastM + 8, a.northM + 8, b.eastM - 8, b.northM - 8)
  }

  private func isInPark(_ eastM: Double, _ northM: Double) -> Bool {
    park.west...park.east ~= eastM && park.south...park.north ~= northM
  }

  private mutating func coast() {
    let line: [(Double, Double)] = [
      (-6000, -2300), (-4200, -2250), (-2950, -2120), (-1500, -2200), (-400, -2050), (400, -1960),
      (1200, -1980), (1700, -1925), (1890, -1945), (2100, -1990), (2600, -1930), (3300, -1990),
      (4200, -1960), (6000, -2000),
    ]
    // The sea lies to the right of its coastline: to the south of one that leads east.
    canvas.way(line.map { canvas.node($0.0, $0.1) }, ["natural": "coastline"])
    ellipse(3150, -2430, radii: (400, 220), ["natural": "coastline"])
  }

  private mutating func area(_ corners: [(Double, Double)], _ tags: OSMTags) {
    let ring = corners.map { canvas.node($0.0, $0.1) }
    canvas.way(ring + ring.prefix(1), tags)
  }

  /// Anticlockwise, as coastlines of islands are.
  private mutating func ellipse(
    _ eastM: Double, _ northM: Double, radii: (eastM: Double, northM: Double), _ tags: OSMTags
  ) {
    area(
      (0..<24).map { k in
        let turn = TownCanvas.circle(Double(k) / 24)
        return (eastM + radii.eastM * turn.cosine, northM + radii.northM * turn.sine)
      }, tags)
  }

  /// Houses in the blocks, wherever no street or path passes.
  private mutating func houses() {
    let streets = StreetCells(canvas)
    for column in 0..<TownGrid.east {
      for row in 0..<TownGrid.north {
        let (a, b) = (
          canvas.point(grid.crossing[column][row]),
          canvas.point(grid.crossing[column + 1][row + 1])
        )
        for part in 0..<3 {
          let eastM = a.eastM + (b.eastM - a.eastM) * (0.22 + 0.28 * Double(part))
          let northM = a.northM + (b.northM - a.northM) * (0.5 + 0.22 * random.swing())
          let half = (eastM: 12 + 4 * random.swing(), northM: 14 + 7 * random.swing())
          let storeys = 2 + Int((random.swing() + 1) * (abs(column - 12) < 5 ? 3 : 1))
          guard !isInPark(eastM, northM),
            !streets.meet(eastM, northM, half.eastM, half.northM)
          else { continue }
          area(
            [
              (eastM - half.eastM, northM - half.northM),
              (eastM + half.eastM, northM - half.northM),
              (eastM + half.eastM, northM + half.northM),
              (eastM - half.eastM, northM + half.northM),
            ], ["building": "yes", "building:levels": "\(storeys)"])
        }
      }
    }
  }
}

/// The squares of ten metres through which streets, paths and the borders of areas lead.
private struct StreetCells {
  private static let sideM = 10.0
  private struct Cell: Hashable {
    var column: Int
    var row: Int

    init(_ eastM: Double, _ northM: Double) {
      column = Int((eastM / StreetCells.sideM).rounded(.down))
      row = Int((northM / StreetCells.sideM).rounded(.down))
    }
  }

  private var cells: Set<Cell> = []

  /// Linear in the lengths of the ways.
  init(_ canvas: TownCanvas) {
    for way in canvas.data.ways {
      for (from, to) in zip(way.nodes, way.nodes.dropFirst()) {
        let (a, b) = (canvas.point(from), canvas.point(to))
        let steps = max(1, Int(a.distanceM(to: b) / 5))
        for step in 0...steps {
          let share = Double(step) / Double(steps)
          cells.insert(
            Cell(
              a.eastM + (b.eastM - a.eastM) * share, a.northM + (b.northM - a.northM) * share))
        }
      }
    }
  }

  /// Whether one leads through a rectangle around a place, or close to it.
  func meet(_ eastM: Double, _ northM: Double, _ halfEastM: Double, _ halfNorthM: Double) -> Bool {
    let low = Cell(eastM - halfEastM - 5, northM - halfNorthM - 5)
    let high = Cell(eastM + halfEastM + 5, northM + halfNorthM + 5)
    for column in low.column...high.column {
      for row in low.row...high.row {
        let middle = Cell(
          (Double(column) + 0.5) * Self.sideM, (Double(row) + 0.5) * Self.sideM)
        if cells.contains(middle) { return true }
      }
    }
    return false
  }
}
