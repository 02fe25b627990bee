import DrawnMaps
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Route
import Testing

@Suite struct RouteSimulatorTests {
  private let noon = Instant(seconds: 1_790_000_000)

  private func at(_ seconds: Double) -> Instant { noon.advanced(bySeconds: seconds) }

  private func town() throws -> DrawnMap {
    try DrawnMap(
      """
      a----b----c----d
           |    |
           e----f----g----h
                |
                i
      """,
      ways: [
        "abcd": "highway=primary maxspeed=50", "be": "highway=residential maxspeed=30",
        "cfi": "highway=residential", "efgh": "highway=residential",
      ])
  }

  private func simulator(
    _ map: DrawnMap, change: (inout RouteSimulator.Settings) -> Void = { _ in }
  ) throws -> RouteSimulator {
    var settings = RouteSimulator.Settings()
    change(&settings)
    return RouteSimulator(
      start: try map.coordinate("a"),
      streets: StreetNetwork(graph: map.graph, index: SegmentIndex(map.graph), mode: .car),
      settings: settings)
  }

  @Test func `the driver stands until a route is there, and again at its end, LOC-5`() throws {
    let map = try town()
    var driver = try simulator(map)
    let a = try map.coordinate("a")
    #expect(driver.truth(at: at(5)).place == a)
    #expect(driver.truth(at: at(5)).speedMps == 0)
    driver.adopt(.along(try map.edges("abe"), of: map.graph), at: at(10))
    #expect(driver.truth(at: at(15)).speedMps > 3)
    let end = driver.truth(at: at(1000))
    #expect(end.speedMps == 0 && driver.isStanding(at: at(1000)))
    #expect(end.place.distanceM(to: try map.coordinate("e")) < 0.5)
  }

  @Test func `speed is the road's, slower in turns, never jumps, LOC-5`() throws {
    let map = try town()
    var driver = try simulator(map)
    let edges = try map.edges("abe")
    driver.adopt(.along(edges, of: map.graph), at: noon)
    let free = edges.map { map.graph.attributes($0).freeFlowMps(.car) }
    var last = 0.0
    var slowest = Double.infinity
    var fastest = 0.0
    let corner = try map.coordinate("b")
    for tenth in 1..<2000 {
      let truth = driver.truth(at: at(Double(tenth) / 10))
      #expect(abs(truth.speedMps - last) < 0.5)
      last = truth.speedMps
      fastest = max(fastest, truth.speedMps)
      if truth.place.distanceM(to: corner) < 5, truth.speedMps > 0 {
        slowest = min(slowest, truth.speedMps)
      }
    }
    #expect(abs(fastest - (free.max() ?? 0)) < 0.5)
    #expect(slowest < 7)
  }

  @Test func `speed factor and traffic change the time that a drive takes, LOC-5`() throws {
    let map = try town()
    func arrival(factor: Double, jam: [Int: Double]) throws -> Int {
      var driver = try simulator(map) { $0.driving.speedFactor = factor }
      driver.adopt(.along(try map.edges("abcd"), of: map.graph, jam: jam), at: noon)
      return (0..<10_000).first { driver.isStanding(at: at(Double($0))) } ?? 0
    }
    let plain = try arrival(factor: 1, jam: [:])
    #expect(try arrival(factor: 2, jam: [:]) < plain)
    #expect(try arrival(factor: 1, jam: [1: 2]) > plain + 150)
  }

  @Test func `a jam that comes later slows the driver, and its end speeds him up, LOC-5`() throws {
    let map = try town()
    let edges = try map.edges("abcd")
    let jammed = map.graph.reference(edges[1])
    var free = try simulator(map)
    free.adopt(.along(edges, of: map.graph), at: noon)
    var driver = free
    let beginsAt = 20.0
    // He is on the jammed road when it begins, and still there when it ends.
    let onJam = try #require(
      (0..<400).first {
        free.truth(at: at(Double($0))).place.distanceM(
          to: map.graph.coordinate(map.graph.head(edges[0]))) < 15
      })
    let begin = Double(onJam) + 5
    let end = begin + 30
    var last = driver.truth(at: at(beginsAt)).speedMps
    var slowest = Double.infinity
    for tenth in Int(beginsAt * 10)..<6000 {
      let second = Double(tenth) / 10
      if second == begin {
        driver.follow(at: at(second)) { road, _ in road == jammed ? 2 : nil }
      } else if second == end {
        driver.follow(at: at(second)) { _, _ in nil }
      }
      let speed = driver.truth(at: at(second)).speedMps
      #expect(abs(speed - last) < 0.5)
      last = speed
      if second > begin, second < end { slowest = min(slowest, speed) }
    }
    #expect(abs(slowest - 2) < 0.01)
    func arrival(_ driver: RouteSimulator) -> Int {
      (0..<10_000).first { driver.isStanding(at: at(Double($0))) } ?? 0
    }
    // 30 s at 2 m/s instead of 12.5 m/s, less the braking and the accelerating.
    let lateS = arrival(driver) - arrival(free)
    #expect((20...30).contains(lateS))
  }

  @Test func `a road may take as long as the delay of an incident says, LOC-10`() throws {
    let map = try town()
    let edges = try map.edges("abcd")
    let road = map.graph.reference(edges[1])
    let lengthM = map.graph.lengthM(edges[1])
    func arrivalS(_ driver: RouteSimulator) -> Double {
      (0..<50_000).map { Double($0) / 2 }.first { driver.isStanding(at: at($0)) } ?? .infinity
    }
    var free = try simulator(map)
    free.adopt(.along(edges, of: map.graph), at: noon)
    var driver = free
    // Reported again and again while the vehicle is on it.
    for second in stride(from: 5.0, through: 3000, by: 5) {
      driver.follow(at: at(second)) { reference, _ in reference == road ? 0.3 : nil }
    }
    let addedS = arrivalS(driver) - arrivalS(free)
    #expect(abs(addedS - (lengthM / 0.3 - lengthM / 12.5)) < 10)
    // Its end is followed at once.
    var cleared = free
    cleared.follow(at: at(5)) { reference, _ in reference == road ? 0.3 : nil }
    cleared.follow(at: at(10)) { _, _ in nil }
    #expect(abs(arrivalS(cleared) - arrivalS(free)) < 1)
  }

  @Test func `traffic that changes nothing leaves the drive as it is, LOC-5`() throws {
    let map = try town()
    var driver = try simulator(map)
    driver.adopt(.along(try map.edges("abcd"), of: map.graph), at: noon)
    let before = driver.drive
    driver.follow(at: at(7)) { _, _ in nil }
    driver.follow(at: at(9)) { _, usualMps in usualMps + 10 }
    #expect(driver.drive == before)
  }

  @Test func `a rest under way outlasts a change of the traffic, LOC-5`() throws {
    let map = try town()
    let edges = try map.edges("abcd")
    var free = try simulator(map)
    free.adopt(.along(edges, of: map.graph, stopAfter: [0: 60]), at: noon)
    let rest = try #require(
      (1..<400).first { free.truth(at: at(Double($0))).speedMps == 0 })
    var driver = free
    driver.follow(at: at(Double(rest) + 10)) { road, _ in
      road == map.graph.reference(edges[2]) ? 3 : nil
    }
    let stop = try map.coordinate("b")
    let standing = (0..<400).count { second in
      let truth = (second < rest + 10 ? free : driver).truth(at: at(Double(second)))
      return truth.speedMps == 0 && truth.place.distanceM(to: stop) < 1
    }
    #expect((59...61).contains(standing))
  }

  @Test func `the driver waits at red signals, the same at the same time, LOC-5`() throws {
    let map = try DrawnMap(
      "a----b----c", ways: ["abc": "highway=primary maxspeed=50"],
      nodes: ["b": "highway=traffic_signals"])
    func drive(_ start: Int, waits: Bool) throws -> (arrivalS: Int, standingS: Int) {
      var driver = try simulator(map) { $0.waitsAtSignals = waits }
      driver.adopt(.along(try map.edges("abc"), of: map.graph), at: at(Double(start)))
      let b = try map.coordinate("b")
      let arrival = (0..<1000).first { driver.isStanding(at: at(Double(start + $0))) } ?? 0
      let standing = (1..<arrival).count { second in
        let truth = driver.truth(at: at(Double(start + second)))
        return truth.speedMps == 0 && truth.place.distanceM(to: b) < 1
      }
      return (arrival, standing)
    }
    let free = try drive(0, waits: false)
    #expect(free.standingS == 0)
    var lost = 0
    var stops = 0
    for start in 0..<40 {
      let (arrival, standing) = try drive(start, waits: true)
      #expect((free.arrivalS...free.arrivalS + 18).contains(arrival))
      #expect(standing <= 10)
      lost += arrival - free.arrivalS
      stops += arrival > free.arrivalS + 1 ? 1 : 0
    }
    // Red for a quarter of the time, and 2 s lost in the mean.
    #expect((9...11).contains(stops))
    #expect((50...120).contains(lost))
    #expect(try drive(7, waits: true) == drive(7, waits: true))
    #expect(try drive(7, waits: true) == drive(47, waits: true))
  }

  @Test func `the driver gains speed between signals 14 m apart, LOC-5`() throws {
    let map = try DrawnMap(
      "a--------------------bc--------------------d", ways: ["abcd": "highway=primary maxspeed=50"],
      nodes: ["b": "highway=traffic_signals", "c": "highway=traffic_signals"], cell: 14)
    func arrivalS(_ start: Int, waits: Bool) throws -> Int {
      var driver = try simulator(map) { $0.waitsAtSignals = waits }
      driver.adopt(.along(try map.edges("abcd"), of: map.graph), at: at(Double(start)))
      return (0..<1000).first { driver.isStanding(at: at(Double(start + $0))) } ?? 1000
    }
    let free = try arrivalS(0, waits: false)
    for start in 0..<40 {
      #expect((free...free + 36).contains(try arrivalS(start, waits: true)))
    }
  }

  @Test func `the driver rests at stopovers, LOC-5`() throws {
    let map = try town()
    var driver = try simulator(map)
    driver.adopt(.along(try map.edges("abcd"), of: map.graph, stopAfter: [0: 30]), at: noon)
    let stop = try map.coordinate("b")
    let standing = (0..<300).count { second in
      let truth = driver.truth(at: at(Double(second)))
      return truth.speedMps == 0 && truth.place.distanceM(to: stop) < 1
    }
    #expect((29...31).contains(standing))
  }

  @Test func `a wrong turn leads over real roads, LOC-5`() throws {
    let map = try town()
    var driver = try simulator(map) {
      $0.wrongTurnsAtM = [600]
      $0.wrongTurnLengthM = 600
    }
    driver.adopt(.along(try map.edges("abcd"), of: map.graph), at: noon)
    var strayedAt: Double?
    for second in 0..<400 {
      let truth = driver.truth(at: at(Double(second)))
      let near = map.graph.edges(near: truth.place, withinM: 1)
      #expect(!near.isEmpty)
      if driver.hasStrayed(at: at(Double(second))), strayedAt == nil { strayedAt = Double(second) }
    }
    let turn = try #require(strayedAt)
    #expect(driver.truth(at: at(turn)).place.distanceM(to: try map.coordinate("c")) < 20)
    #expect(driver.isStanding(at: at(400)))
  }

  @Test func `on a replaced map the next wrong turn is one of the new roads, OF-2`() throws {
    let plain = try DrawnMap(
      """
      a----b----c----d
           |    |
           e    f
      """,
      ways: [
        "abcd": "highway=primary maxspeed=50", "be": "highway=footway", "cf": "highway=footway",
      ])
    let map = try town()
    var driver = try simulator(plain) {
      $0.wrongTurnsAtM = [600]
      $0.wrongTurnLengthM = 600
    }
    driver.adopt(.along(try plain.edges("ad"), of: plain.graph, id: "r-1"), at: noon)
    #expect(!driver.hasStrayed(at: at(400)))
    driver.adoptStreets(of: try simulator(map))
    let before = driver.truth(at: at(20))
    driver.adopt(.along(try map.edges("abcd"), of: map.graph, id: "r-2"), at: at(20))
    #expect(driver.truth(at: at(20)).place.distanceM(to: before.place) < 0.1)
    #expect((0..<400).contains { driver.hasStrayed(at: at(Double($0))) })
    #expect(!map.graph.edges(near: driver.truth(at: at(400)).place, withinM: 1).isEmpty)
  }

  @Test func `a new route is taken at once from where the driver is, LOC-5`() throws {
    let map = try town()
    var driver = try simulator(map)
    driver.adopt(.along(try map.edges("abcd"), of: map.graph, id: "r-1"), at: noon)
    let before = driver.truth(at: at(20))
    driver.adopt(.along(try map.edges("abefi"), of: map.graph, id: "r-2"), at: at(20))
    let after = driver.truth(at: at(20))
    #expect(after.place.distanceM(to: before.place) < 0.1)
    #expect(abs(after.speedMps - before.speedMps) < 0.1)
    #expect(driver.truth(at: at(1000)).place.distanceM(to: try map.coordinate("i")) < 0.5)
  }

  @Test func `astray the driver comes back where a new route meets his way, LOC-5`() throws {
    let map = try town()
    var driver = try simulator(map) {
      $0.wrongTurnsAtM = [300]
      $0.wrongTurnLengthM = 3000
    }
    driver.adopt(.along(try map.edges("abcd"), of: map.graph, id: "r-1"), at: noon)
    let strayed = try #require((0..<400).first { driver.hasStrayed(at: at(Double($0))) })
    let astray = at(Double(strayed) + 20)
    // Down from b: the new route begins on that road and goes on by another.
    driver.adopt(.along(try map.edges("befi"), of: map.graph, id: "r-2"), at: astray)
    #expect(!driver.hasStrayed(at: astray))
    #expect(driver.truth(at: at(1000)).place.distanceM(to: try map.coordinate("i")) < 0.5)
  }

  @Test func `a restarted simulator goes on where it was, BUS-6`() throws {
    let map = try town()
    let route = Route.along(try map.edges("abcd"), of: map.graph)
    var driver = try simulator(map)
    driver.adopt(route, at: noon)
    let memory = driver.memory(at: at(30))
    var second = try simulator(map)
    second.resume(memory, at: at(31))
    #expect(second.truth(at: at(31)).place.distanceM(to: driver.truth(at: at(30)).place) < 0.1)
    second.adopt(route, at: at(31))
    #expect(second.truth(at: at(1000)).place.distanceM(to: try map.coordinate("d")) < 0.5)
  }

  @Test func `a simulator restarted within its wrong turn goes on with it, BUS-6`() throws {
    let map = try town()
    let route = Route.along(try map.edges("abcd"), of: map.graph, id: "r-1")
    func make() throws -> RouteSimulator {
      try simulator(map) {
        $0.wrongTurnsAtM = [300]
        $0.wrongTurnLengthM = 3000
      }
    }
    var driver = try make()
    driver.adopt(route, at: noon)
    let strayed = try #require((0..<400).first { driver.hasStrayed(at: at(Double($0))) })
    // Some metres behind the junction: no matcher could tell the roads apart.
    let memory = driver.memory(at: at(Double(strayed)))
    #expect(memory.strayM > 100)
    #expect(memory.wrongTurnsAtM.isEmpty)
    var second = try make()
    second.resume(memory, at: at(500))
    second.adopt(route, at: at(500))
    #expect(second.truth(at: at(500)).place.distanceM(to: memory.place) < 0.5)
    #expect(second.hasStrayed(at: at(520)))
    #expect(second.truth(at: at(520)).place.distanceM(to: memory.place) > 50)
    // Where the first would have ended.
    let end = driver.truth(at: at(2000)).place
    #expect(second.truth(at: at(2500)).place.distanceM(to: end) < 1)
    // Killed once more on the way, and led back by a new route.
    var third = try make()
    third.resume(second.memory(at: at(520)), at: at(530))
    #expect(third.memory(at: at(530)).wrongTurnsAtM.isEmpty)
    third.adopt(.along(try map.edges("befi"), of: map.graph, id: "r-2"), at: at(530))
    #expect(!third.hasStrayed(at: at(531)))
    #expect(third.truth(at: at(2500)).place.distanceM(to: try map.coordinate("i")) < 0.5)
  }

  @Test func `the same seed errs the same, and by as much as was asked for, LOC-5`() {
    var noise = NoiseSettings()
    noise.sigmaM = 5
    noise.driftSigmaM = 3
    noise.outlierShare = 0.02
    noise.dropoutShare = 0.01
    let truth = VehicleTruth(
      place: Coordinate(latitudeDeg: 47, longitudeDeg: 9), bearingDeg: 90, speedMps: 10,
      isInTunnel: false)
    func fixes(seed: UInt64) -> [Fix?] {
      var receiver = NoisyReceiver(noise, seed: seed)
      return (0..<4000).map { receiver.fix(of: truth, at: at(Double($0))) }
    }
    let run = fixes(seed: 7)
    #expect(run == fixes(seed: 7))
    #expect(run != fixes(seed: 8))
    let errors = run.compactMap { $0?.place.distanceM(to: truth.place) }
    let outliers = errors.count { $0 > 250 }
    #expect((40...140).contains(outliers))
    let usual = errors.filter { $0 < 250 }
    let meanSquare = usual.reduce(0) { $0 + $1 * $1 } / Double(usual.count)
    #expect(abs(meanSquare.squareRoot() - (2.0 * (25 + 9)).squareRoot()) < 1)
    #expect((100...400).contains(run.count { $0 == nil }))
  }

  @Test func `a receiver tells nothing in a tunnel and no course at a stand, LOC-5`() {
    var receiver = NoisyReceiver(NoiseSettings(), seed: 1)
    var truth = VehicleTruth(
      place: Coordinate(latitudeDeg: 47, longitudeDeg: 9), bearingDeg: 90, speedMps: 10,
      isInTunnel: true)
    #expect(receiver.fix(of: truth, at: noon) == nil)
    truth.isInTunnel = false
    #expect(receiver.fix(of: truth, at: at(1))?.bearingDeg == 90)
    truth.speedMps = 0
    let standing = receiver.fix(of: truth, at: at(2))
    #expect(standing?.speedMps == 0)
    #expect(standing?.bearingDeg == nil)
  }
}
