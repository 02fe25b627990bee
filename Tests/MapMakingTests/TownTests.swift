import DemoTown
import Foundations
import Geodesy
import RoadGraph
import Testing

@testable import MapMaking

@Suite struct TownTests {
  private func graph(seed: UInt64) throws -> RoadGraph {
    try GraphMaker.make(Town.osm(seed: seed)).graph()
  }

  @Test func `a seed makes one town`() {
    #expect(Town.osm(seed: 7) == Town.osm(seed: 7))
    #expect(Town.osm(seed: 7) != Town.osm(seed: 8))
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `every place is reached from every place by car`(seed: UInt64) throws {
    let made = try GraphMaker.make(Town.osm(seed: seed))
    let graph = try made.graph()
    #expect(made.report.restrictionsUnusable == 0)
    #expect(made.report.missingNodes == 0)
    let columns = graph.columns
    let isCar = (0..<graph.edgeCount).map { graph.attributes(EdgeID($0)).access(.car).isUsable }
    let component = StrongComponents.find(
      nodeCount: graph.nodeCount, tail: columns.tail.records.map(\.rawValue),
      head: columns.head.records.map(\.rawValue), isUsed: isCar)
    let homes = Set(
      (0..<graph.edgeCount).filter { isCar[$0] }.map { component[columns.tail[$0].index] })
    #expect(homes.count == 1)
  }

  @Test func `it has one of each thing that a navigator must know`() throws {
    let graph = try graph(seed: 1)
    var flags = RoadFlags()
    var classes: Set<RoadClass> = []
    var countries: Set<String> = []
    for edge in 0..<graph.edgeCount {
      let road = graph.attributes(EdgeID(edge))
      flags.formUnion(road.flags)
      classes.insert(road.roadClass)
      if let country = road.country { countries.insert(country) }
    }
    for flag: RoadFlags in [
      .oneWay, .roundabout, .link, .tunnel, .bridge, .toll, .ferry, .divided, .schoolZone,
      .controlledAccess, .noThrough, .carPool, .reversible,
    ] { #expect(flags.contains(flag), "\(flag)") }
    #expect(classes.isSuperset(of: [.motorway, .primary, .residential, .ferry, .cycleway]))
    #expect(countries == ["XA", "XB"])
    let nodes = graph.columns.nodeFlags.records.reduce(into: NodeFlags()) { $0.formUnion($1) }
    for flag: NodeFlags in [
      .trafficSignals, .motorwayJunction, .miniRoundabout, .barrier, .border, .speedCamera,
      .tollBooth, .trafficCalming,
    ] { #expect(nodes.contains(flag), "\(flag)") }
    #expect(
      Set(graph.columns.junctionNumber.records.map { graph.text($0) }) == ["11", "12", "13"])
    #expect(graph.columns.restrictionModes.count >= 5)
  }

  @Test func `its market has roads whose rules change with the hour and the vehicle, RT-8`() throws
  {
    let graph = try graph(seed: 1)
    let book = RuleBook(graph)
    #expect(graph.columns.timedRestrictionModes.count == 1)
    let roads = Dictionary(
      grouping: (0..<graph.edgeCount).map { EdgeID($0) }, by: { graph.name($0) ?? "" })
    let place = try #require(roads["Market Place"]?.first)
    let tide = try #require(roads["Tide Lane"])
    let low = graph.attributes(try #require(roads["Low Arch"]?.first))
    let pool = graph.attributes(
      try #require(roads["Pool Road"]?.first { graph.attributes($0).access(.car) == .yes }))
    // Monday, 5 January 2026, 08:00 by the town's clocks, two hours behind UTC; then 14:00.
    let morning = Instant(seconds: 1_767_607_200)
    let afternoon = morning.advanced(bySeconds: 6 * 3600)
    #expect(book.access(place, .car, at: morning) == .delivery)
    #expect(book.access(place, .car, at: afternoon) == .no)
    let open = tide.filter { book.access($0, .car, at: morning) == .yes }
    #expect(open.count == 1)
    #expect(
      open.map { graph.twin($0) } == tide.filter { book.access($0, .car, at: afternoon) == .yes })
    #expect(!low.lets(VehicleSize(heightM: 3)) && low.lets(VehicleSize(heightM: 2.5, weightT: 3)))
    #expect(graph.text(pool.laneDetails).contains("change:lanes=not_right|not_left"))
    #expect(pool.tollModes == TravelModes(.truck))
    let limits = try #require(roads["Night Lane"]?.first.map { book.limits($0, .car, at: morning) })
    #expect(limits.map(\.kmh) == [30])
    #expect(limits.map(\.holds) == [false])
  }

  @Test func `every street has a name and each name is one street`() {
    let town = Town.osm(seed: 1)
    var nodesByName: [String: [Set<Int64>]] = [:]
    for way in town.ways where RoadKind(way.tags).map({ $0.roadClass <= .livingStreet }) == true {
      guard way.tags["junction"] == nil, !(way.tags["highway"] ?? "").hasSuffix("_link") else {
        continue
      }
      let name = way.tags["name"]
      #expect(name != nil)
      nodesByName[name ?? "", default: []].append(Set(way.nodes))
    }
    #expect(nodesByName.count > 200)
  }

  @Test func `the cabin is far from any road, the other places are near one, OR-1`() throws {
    let graph = try graph(seed: 1)
    for place in Town(seed: 1).places {
      let near = graph.edges(near: place.coordinate, withinM: 60)
      #expect(near.isEmpty == (place.key == "cabin"), "\(place.key)")
    }
    let cabin = try #require(Town(seed: 1).places.first { $0.key == "cabin" })
    #expect(graph.edges(near: cabin.coordinate, withinM: 600).isEmpty)
    #expect(!graph.edges(near: cabin.coordinate, withinM: 5000).isEmpty)
  }

  @Test func `XML has every object and escapes what it must`() {
    let data = OSMData(
      nodes: [
        OSMNode(id: 1, latitudeE7: -5, longitudeE7: 1_800_000_000, tags: ["name": "A & \"B\""])
      ],
      ways: [OSMWay(id: 2, nodes: [1], tags: [:])],
      relations: [OSMRelation(id: 3, members: [OSMMember(.way, 2, role: "from")], tags: [:])])
    let text = OSMXML.text(data)
    #expect(text.contains("lat=\"-0.0000005\" lon=\"180.0000000\""))
    #expect(text.contains("v=\"A &amp; &quot;B&quot;\""))
    #expect(text.contains("<nd ref=\"1\"/>"))
    #expect(text.contains("<member type=\"way\" ref=\"2\" role=\"from\"/>"))
  }
}
