import Foundations
import Geodesy
import MapMaking

extension TownMaker {
  /// Signals, cameras, the school, a flyover, dead ends, paths: objects in streets that are already
  /// built.
  mutating func buildExtras() {
    buildSignals()
    buildCameras()
    buildSchool()
    buildFlyover()
    buildTurnRules()
    buildCloses()
    buildPark()
    buildMall()
  }

  private mutating func buildSignals() {
    for (column, row) in [(12, 10), (6, 10), (18, 10), (12, 5), (12, 14)] {
      canvas.tag(grid.crossing[column][row], "highway", "traffic_signals")
    }
  }

  private mutating func buildCameras() {
    // At crossings with minor streets, so that the node always exists.
    canvas.tag(grid.crossing[4][TownGrid.high], "highway", "speed_camera")
    canvas.tag(grid.crossing[20][TownGrid.high], "highway", "speed_camera")
    canvas.tag(grid.crossing[4][TownGrid.south], "highway", "speed_camera")
    canvas.tag(grid.crossing[20][TownGrid.north], "highway", "speed_camera")
  }

  private mutating func buildSchool() {
    let (a, b) = (grid.crossing[6][8], grid.crossing[7][7])
    let bump = canvas.arc(a, b, bulge: 0.08, points: 5)
    canvas.tag(bump[2], "traffic_calming", "bump")
    canvas.way(
      [a] + bump + [b],
      [
        "highway": "residential", "name": names.reserve("School Lane"), "maxspeed": "30",
        "hazard": "school_zone", "surface": "asphalt", "lit": "yes",
      ])
  }

  /// A bridge over the streets between two collectors.
  private mutating func buildFlyover() {
    let (a, b) = (grid.crossing[18][12], grid.crossing[22][9])
    let (p, q) = (canvas.point(a), canvas.point(b))
    func on(_ t: Double) -> (Double, Double) {
      (p.eastM + t * (q.eastM - p.eastM), p.northM + t * (q.northM - p.northM))
    }
    let deck = [0.12, 0.4, 0.6, 0.88].map { canvas.node(on($0).0, on($0).1) }
    var tags: OSMTags = [
      "highway": "secondary", "name": names.reserve("Viaduct Road"), "maxspeed": "50",
      "lanes": "2", "surface": "asphalt",
    ]
    canvas.way([a, deck[0]], tags)
    canvas.way([deck[3], b], tags)
    tags["bridge"] = "yes"
    tags["layer"] = "1"
    canvas.way(deck, tags)
  }

  /// No left turn and only straight on, each at a node.
  private mutating func buildTurnRules() {
    let middle = OSMMember(.node, grid.crossing[TownGrid.middle][TownGrid.high], role: "via")
    if let from = grid.legs[
      TownLegKey(column: TownGrid.middle, row: TownGrid.high, runsEast: true)],
      let to = grid.legs[
        TownLegKey(column: TownGrid.middle, row: TownGrid.high - 1, runsEast: false)]
    {
      canvas.restriction("no_left_turn", from: from.way, via: middle, to: to.way)
    }
    if let from = grid.legs[TownLegKey(column: 5, row: 14, runsEast: true)],
      let to = grid.legs[TownLegKey(column: 6, row: 14, runsEast: true)]
    {
      canvas.restriction(
        "only_straight_on", from: from.way,
        via: OSMMember(.node, grid.crossing[6][14], role: "via"), to: to.way)
    }
  }

  /// Short dead ends off the crossings of minor streets.
  private mutating func buildCloses() {
    for column in stride(from: 1, to: 24, by: 2) {
      for row in stride(from: 1, to: 19, by: 2) where random.oneIn(2) {
        let spot = TownGridPoint(column: column, row: row)
        let isFree =
          grid.rings[spot] == nil
          && !TownStreetStyle.isCentre(TownLegKey(column: column, row: row, runsEast: true))
          && grid.legs[TownLegKey(column: column, row: row, runsEast: true)] != nil
        guard isFree else { continue }
        let start = grid.crossing[column][row]
        let p = canvas.point(start)
        let end = canvas.node(
          p.eastM + 55 + 12 * random.swing(), p.northM + 52 + 10 * random.swing(),
          ["highway": "turning_circle"])
        canvas.way(
          [start] + canvas.arc(start, end, bulge: 0.2 * random.swing(), points: 3) + [end],
          [
            "highway": random.oneIn(4) ? "living_street" : "residential",
            "name": names.next(TownNames.closes, &random), "noexit": "yes", "surface": "asphalt",
          ])
      }
    }
  }

  /// A footpath and a cycle path that cross in the park.
  private mutating func buildPark() {
    let (southWest, northEast) = (grid.crossing[18][14], grid.crossing[22][18])
    let (northWest, southEast) = (grid.crossing[18][18], grid.crossing[22][14])
    let (a, b) = (canvas.point(southWest), canvas.point(northEast))
    let pond = canvas.node((a.eastM + b.eastM) / 2, (a.northM + b.northM) / 2)
    path(
      southWest, pond, northEast,
      ["highway": "footway", "name": names.reserve("Park Walk"), "surface": "fine_gravel"])
    path(
      northWest, pond, southEast,
      ["highway": "cycleway", "name": names.reserve("Park Cycleway"), "surface": "asphalt"])
  }

  private mutating func path(_ a: Int64, _ middle: Int64, _ b: Int64, _ tags: OSMTags) {
    let first = canvas.arc(a, middle, bulge: 0.1, points: 3)
    let second = canvas.arc(middle, b, bulge: -0.1, points: 3)
    canvas.way([a] + first + [middle] + second + [b], tags)
  }

  /// A car park with aisles, a bollard, a gate on a private drive.
  private mutating func buildMall() {
    let door = grid.crossing[18][3]
    let p = canvas.point(door)
    let inside = canvas.node(p.eastM + 35, p.northM + 40)
    let far = canvas.node(p.eastM + 60, p.northM + 85)
    canvas.way([door, inside], ["highway": "service", "name": names.reserve("Mall Drive")])
    canvas.way(
      [inside, far], ["highway": "service", "service": "parking_aisle", "access": "customers"])
    let gate = canvas.node(p.eastM + 75, p.northM + 40, ["barrier": "gate", "access": "private"])
    let end = canvas.node(p.eastM + 110, p.northM + 42)
    canvas.way([inside, gate, end], ["highway": "service", "access": "private"])
    let (a, b) = (grid.crossing[2][3], grid.crossing[3][2])
    let bollard = canvas.arc(a, b, bulge: 0.02, points: 1)
    canvas.tag(bollard[0], "barrier", "bollard")
    canvas.way(
      [a] + bollard + [b],
      ["highway": "residential", "name": names.next(TownNames.curves, &random), "maxspeed": "30"])
  }
}
