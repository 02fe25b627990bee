import Geodesy
import MapMaking

extension TownMaker {
  private static let eastboundM = 1485.0
  private static let westboundM = 1515.0

  /// The motorway north of the town, its exits, and the frontage road next to it.
  mutating func buildMotorway() {
    let exits: [(column: Int, number: String, name: String, toward: String)] = [
      (TownGrid.west, "11", "Westgate", "Westgate;Old Mill"),
      (TownGrid.middle, "12", "Town Centre", "Town Centre;Station"),
      (TownGrid.east, "13", "Harbour", "Harbour;Ferry"),
    ]
    let west = canvas.roundabout(
      -2900, 1500, radiusM: 35, nodes: 16, ["highway": "trunk", "maxspeed": "50"])
    let east = canvas.roundabout(
      2500, 1500, radiusM: 35, nodes: 16, ["highway": "trunk", "maxspeed": "50"])
    grid.rings[TownGridPoint(column: -1, row: 99)] = west
    grid.rings[TownGridPoint(column: 99, row: 99)] = east
    var eastbound = carriageway(from: -2800, to: 2400, northM: Self.eastboundM, exits.map(\.column))
    var westbound = carriageway(from: 2400, to: -2800, northM: Self.westboundM, exits.map(\.column))
    join(&eastbound, start: west, end: east)
    join(&westbound, start: east, end: west)
    buildCarriageway(eastbound, destinations: ["Westgate", "Town Centre", "Harbour", "Docks"])
    buildCarriageway(westbound, destinations: ["Harbour", "Town Centre", "Westgate", "Westmark"])
    for exit in exits {
      let top = crossRoad(exit.column)
      ramps(exit, top, eastbound: true, on: eastbound)
      ramps(exit, top, eastbound: false, on: westbound)
    }
    buildFrontage()
    buildNorthernFields()
  }

  /// Nodes of a carriageway by metres east; there is one wherever ramps leave and join.
  private struct Carriageway {
    var nodes: [Int64] = []
    var cuts: Set<Int64> = []
    var rampNode: [Int: Int64] = [:]
  }

  private mutating func carriageway(
    from: Double, to: Double, northM: Double, _ columns: [Int]
  ) -> Carriageway {
    let heading = to > from ? 1.0 : -1.0
    var stops = stride(from: from, through: to, by: heading * 100).map { $0 }
    for column in columns {
      for offset in [-450.0, 450.0] { stops.append(TownGrid.columns[column] + offset) }
    }
    stops = Array(Set(stops)).sorted { $0 * heading < $1 * heading }
    var road = Carriageway()
    for east in stops {
      let node = canvas.node(east, northM)
      road.nodes.append(node)
      for column in columns
      where abs(abs(east - TownGrid.columns[column]) - 450) < 1 {
        road.rampNode[Int(east)] = node
        road.cuts.insert(node)
      }
    }
    return road
  }

  /// Leads a carriageway from one roundabout to the other.
  private mutating func join(_ road: inout Carriageway, start: [Int64], end: [Int64]) {
    // Each carriageway keeps to its side of the roundabout: one leaves it before the other enters.
    func meeting(_ ring: [Int64], _ node: Int64?) -> [Int64] {
      guard let node else { return [] }
      var place = canvas.point(node)
      place.northM += place.northM > 1500 ? 25 : -25
      return [canvas.nearest(ring, place)]
    }
    road.nodes = meeting(start, road.nodes.first) + road.nodes + meeting(end, road.nodes.last)
  }

  /// Adds the ways between ramps, with the text of the signs over them.
  private mutating func buildCarriageway(_ road: Carriageway, destinations: [String]) {
    var nodes: [Int64] = []
    var part = 0
    for node in road.nodes {
      nodes.append(node)
      guard road.cuts.contains(node) || node == road.nodes.last, nodes.count > 1 else { continue }
      canvas.way(
        nodes,
        [
          "highway": "motorway", "ref": "M1", "name": names.reserve("Atlantic Motorway"),
          "oneway": "yes", "lanes": "2", "maxspeed": "110", "surface": "asphalt",
          "destination": destinations[min((part + 1) / 2, destinations.count - 1)],
          "destination:ref": "M1",
        ])
      part += 1
      nodes = [node]
    }
  }

  /// The road over the motorway at a column: its nodes at the southern and the northern ramps.
  private mutating func crossRoad(_ column: Int) -> (south: Int64, north: Int64) {
    let east = TownGrid.columns[column]
    let style = [TownGrid.west: "West Avenue", TownGrid.middle: "Station Road"]
    let name = style[column] ?? "East Avenue"
    let tags: OSMTags = [
      "highway": column == TownGrid.middle ? "secondary" : "primary", "name": name,
      "maxspeed": "70", "lanes": "2", "surface": "asphalt",
    ]
    let start = grid.crossing[column][TownGrid.north]
    let south = canvas.node(east, 1430)
    let north = canvas.node(east, 1570)
    let deck = [canvas.node(east, 1465), canvas.node(east, 1535)]
    canvas.way([start, canvas.node(east + 8, 1290), south], tags)
    canvas.way([south, deck[0]], tags)
    var bridge = tags
    bridge["bridge"] = "yes"
    bridge["layer"] = "1"
    canvas.way(deck, bridge)
    canvas.way([deck[1], north], tags)
    let top = canvas.node(east, 1750)
    canvas.way([north, canvas.node(east - 6, 1660), top], tags)
    grid.rings[TownGridPoint(column: column, row: 100)] = [top]
    for node in [south, north] where column == TownGrid.middle {
      canvas.tag(node, "highway", "traffic_signals")
    }
    return (south, north)
  }

  private mutating func ramps(
    _ exit: (column: Int, number: String, name: String, toward: String),
    _ top: (south: Int64, north: Int64), eastbound: Bool, on road: Carriageway
  ) {
    let middle = TownGrid.columns[exit.column]
    let heading = eastbound ? 1.0 : -1.0
    let foot = eastbound ? top.south : top.north
    guard let leave = road.rampNode[Int(middle - heading * 450)],
      let enter = road.rampNode[Int(middle + heading * 450)]
    else { return }
    canvas.tag(leave, "highway", "motorway_junction")
    canvas.tag(leave, "ref", exit.number)
    canvas.tag(leave, "name", exit.name)
    let side = eastbound ? -1.0 : 1.0
    let line = eastbound ? Self.eastboundM : Self.westboundM
    let shape: [(Double, Double)] = [(350, 8), (250, 20), (150, 36), (70, 48)]
    let off = shape.map {
      canvas.node(middle - heading * $0.0, line + side * $0.1)
    }
    canvas.way(
      [leave] + off + [foot],
      [
        "highway": "motorway_link", "oneway": "yes", "lanes": "1", "maxspeed": "60",
        "destination": exit.toward, "junction:ref": exit.number, "surface": "asphalt",
      ])
    let on = shape.reversed().map {
      canvas.node(middle + heading * $0.0, line + side * $0.1)
    }
    canvas.way(
      [foot] + on + [enter],
      [
        "highway": "motorway_link", "oneway": "yes", "lanes": "1", "maxspeed": "60",
        "destination": eastbound ? "Docks" : "Westmark", "destination:ref": "M1",
        "surface": "asphalt",
      ])
  }

  /// A street 30 m from the motorway for 600 m, between exits 11 and 12.
  private mutating func buildFrontage() {
    let columns = (west: 4, east: 8)
    let start = grid.crossing[columns.west][TownGrid.north]
    let end = grid.crossing[columns.east][TownGrid.north]
    let (a, b) = (canvas.point(start), canvas.point(end))
    let line = Self.eastboundM - 30
    let along = stride(from: a.eastM + 40, through: b.eastM - 40, by: 80).map { $0 }
    let first = canvas.node(a.eastM, line - 40)
    let last = canvas.node(b.eastM, line - 40)
    let nodes = along.map { canvas.node($0, line) }
    let way = canvas.way(
      [start, first] + nodes + [last, end],
      [
        "highway": "unclassified", "name": names.reserve("Frontage Road"), "maxspeed": "50",
        "lanes": "2", "surface": "asphalt",
      ])
    if let parade = grid.legs[
      TownLegKey(column: columns.east, row: TownGrid.north, runsEast: true)]
    {
      canvas.restriction(
        "no_left_turn", from: way, via: OSMMember(.node, end, role: "via"), to: parade.way)
    }
  }

  /// The country road north of the motorway that joins the three exits.
  private mutating func buildNorthernFields() {
    let tops = [TownGrid.west, TownGrid.middle, TownGrid.east].compactMap {
      grid.rings[TownGridPoint(column: $0, row: 100)]?.first
    }
    for (a, b) in zip(tops, tops.dropFirst()) {
      let nodes = [a] + canvas.arc(a, b, bulge: 0.05, points: 8) + [b]
      canvas.way(
        nodes,
        [
          "highway": "tertiary", "name": names.reserve("Northern Fields"), "maxspeed": "80",
          "lanes": "2", "surface": "asphalt",
        ])
    }
  }
}
