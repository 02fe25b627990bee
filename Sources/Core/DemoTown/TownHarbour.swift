import Geodesy
import MapMaking

extension TownMaker {
  /// South of Southern Way: the tunnel that forks, the harbour, the toll road, the ferry and the island.
  mutating func buildHarbour() {
    let quay = buildTunnel()
    buildTollway(to: quay)
    buildFerry(from: quay)
    buildDual()
  }

  private static func street(_ name: String, _ highway: String = "secondary") -> OSMTags {
    ["highway": highway, "name": name, "maxspeed": "50", "lanes": "2", "surface": "asphalt"]
  }

  /// Two tubes that split below ground, to the harbour and to the docks; returns the quay.
  private mutating func buildTunnel() -> Int64 {
    let start = grid.crossing[18][TownGrid.south]
    let p = canvas.point(start)
    let portal = canvas.node(p.eastM + 20, -1400)
    let fork = canvas.node(p.eastM + 60, -1600)
    canvas.way(
      [start, canvas.node(p.eastM + 6, -1350), portal],
      Self.street(names.reserve("Harbour Approach")))
    var tube = Self.street(names.reserve("Harbour Tunnel"))
    tube["tunnel"] = "yes"
    tube["layer"] = "-1"
    canvas.way([portal, canvas.node(p.eastM + 36, -1500), fork], tube)
    tube["destination"] = "Harbour;Ferry"
    let east = canvas.node(p.eastM + 330, -1795)
    canvas.way([fork] + canvas.arc(fork, east, bulge: -0.08, points: 4) + [east], tube)
    var dock = Self.street(names.reserve("Dock Tunnel"))
    dock["tunnel"] = "yes"
    dock["layer"] = "-1"
    dock["destination"] = "Docks"
    let west = canvas.node(p.eastM - 160, -1800)
    canvas.way([fork] + canvas.arc(fork, west, bulge: 0.08, points: 4) + [west], dock)

    let quay = canvas.node(1800, -1820)
    canvas.way(
      [east] + canvas.arc(east, quay, bulge: 0.04, points: 4) + [quay],
      Self.street(names.reserve("Harbour Front")))
    let foot = canvas.node(0, -1760)
    canvas.way(
      [foot] + canvas.arc(foot, west, bulge: -0.05, points: 5) + [west],
      Self.street(names.reserve("Dock Road")))
    canvas.way(
      [foot, canvas.node(10, -1530), grid.crossing[TownGrid.middle][TownGrid.south]],
      Self.street("Station Road"))
    canvas.way(
      [grid.crossing[TownGrid.east][TownGrid.south], canvas.node(1812, -1560), quay],
      Self.street("East Avenue", "primary"))
    return quay
  }

  /// A fast road with a toll from the motorway's end to the harbour.
  private mutating func buildTollway(to quay: Int64) {
    guard let ring = grid.rings[TownGridPoint(column: 99, row: 99)] else { return }
    let booth = canvas.node(2450, 20, ["barrier": "toll_booth", "name": "Toll Plaza"])
    let top = canvas.nearest(ring, to: booth)
    let tags: OSMTags = [
      "highway": "trunk", "name": names.reserve("Eastern Tollway"), "ref": "T1", "toll": "yes",
      "maxspeed": "90", "lanes": "2", "surface": "asphalt",
    ]
    let bend = canvas.node(2330, -1400)
    canvas.way([top] + canvas.arc(top, booth, bulge: -0.03, points: 6) + [booth], tags)
    canvas.way(
      [booth] + canvas.arc(booth, bend, bulge: 0.05, points: 6) + [bend]
        + canvas.arc(bend, quay, bulge: 0.12, points: 4) + [quay], tags)
  }

  /// The ferry, and the island that only the ferry reaches.
  private mutating func buildFerry(from quay: Int64) {
    let pier = canvas.node(1900, -1930)
    let landing = canvas.node(2850, -2280)
    canvas.way([quay, canvas.node(1850, -1870), pier], Self.street(names.reserve("Pier Road")))
    canvas.way(
      [pier] + canvas.arc(pier, landing, bulge: 0.06, points: 5) + [landing],
      [
        "route": "ferry", "name": names.reserve("Isle Ferry"), "duration": "00:08",
        "motor_vehicle": "yes", "bicycle": "yes", "foot": "yes",
      ])
    let light = canvas.node(3250, -2320)
    let inn = canvas.node(3080, -2480)
    canvas.way(
      [landing] + canvas.arc(landing, light, bulge: 0.1, points: 4) + [light],
      Self.street(names.reserve("Lighthouse Road"), "unclassified"))
    canvas.way(
      [light] + canvas.arc(light, inn, bulge: -0.2, points: 3) + [inn]
        + canvas.arc(inn, landing, bulge: -0.2, points: 3) + [landing],
      Self.street(names.reserve("Isle Loop"), "residential"))
  }

  /// The westbound carriageway of Southern Way, and the gap at Station Road where U-turns are
  /// forbidden.
  private mutating func buildDual() {
    let columns = Array(TownGrid.dual.reversed())
    var tags: OSMTags = [
      "highway": "primary", "name": "Southern Way", "ref": "A14", "maxspeed": "60", "lanes": "2",
      "oneway": "yes", "dual_carriageway": "yes", "surface": "asphalt", "lit": "yes",
    ]
    let split = TownGrid.middle
    let east = columns.filter { $0 >= split }.map { dualNode($0) }
    let west = columns.filter { $0 <= split }.map { dualNode($0) }
    canvas.way(east, tags)
    tags["turn:lanes"] = "left;through|through"
    let onward = canvas.way(west, tags)
    let gap = canvas.way(
      [grid.crossing[split][TownGrid.south], dualNode(split)],
      [
        "highway": "secondary", "name": "Station Road", "ref": "B2", "maxspeed": "50",
        "surface": "asphalt",
      ])
    if let from = grid.legs[TownLegKey(column: split - 1, row: TownGrid.south, runsEast: true)] {
      canvas.restriction(
        "no_u_turn", from: from.way, via: OSMMember(.way, gap, role: "via"), to: onward)
    }
  }
}
