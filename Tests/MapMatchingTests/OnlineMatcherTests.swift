import EventTime
import Geodesy
import MapMatching
import Positioning
import RoadGraph
import Testing

@Suite struct OnlineMatcherTests {
  /// West to east through three nodes, with a road to the north at the middle one.
  private func tee() throws -> RoadGraph {
    var map = TinyMap()
    let (a, b, c) = (map.node(0, 0), map.node(500, 0), map.node(1000, 0))
    let d = map.node(500, 500)
    map.line([a, b, c])
    map.road(b, d)
    return try map.graph()
  }

  private func matcher(_ graph: RoadGraph, mode: TravelMode = .car) -> OnlineMatcher {
    OnlineMatcher(network: MatchingNetwork(graph: graph, mode: mode))
  }

  @Test func `a drive along a road is matched to it with all that a match carries, MM-6`() throws {
    var matcher = matcher(try tee())
    var drive = Drive()
    drive.along([(100, 8), (900, 8)], speedMps: 10)
    let matches = matcher.match(all: drive.fixes)
    for (match, fix) in zip(matches, drive.fixes) {
      let place = try #require(match.place)
      #expect(abs(place.distanceM - 8) < 0.1)
      #expect(abs(place.bearingDeg - 90) < 0.5)
      // Where one piece ends and the next begins both are likely.
      if (50...450).contains(place.offsetM) { #expect(place.probability > 0.9) }
      #expect(!place.isWrongWay && !match.isTeleport)
      #expect(match.fix == fix)
    }
    let last = try #require(matches.last?.place)
    #expect(last.segment == SegmentReference(way: 101, from: 1, to: 2))
    #expect(abs(last.offsetM - 390) < 0.5)
    let crossing = try #require(matches.first { $0.road == 1 }?.place)
    #expect(crossing.path.map(\.edge).count == 2)
  }

  @Test func `roads farther than 50 m are never forced on a fix, MM-1`() throws {
    var matcher = matcher(try tee())
    var drive = Drive()
    drive.along([(100, 51), (300, 51)], speedMps: 10)
    for match in matcher.match(all: drive.fixes) {
      #expect(match.place == nil)
      #expect(match.candidateCount == 0)
    }
  }

  @Test func `a fix without time gives no match, MM-2`() throws {
    var matcher = matcher(try tee())
    let answer = matcher.match(Fix(place: TinyMap.coordinate(100, 0)))
    #expect(answer.match.reason == .noTime)
  }

  @Test func `a course decides at once which way a car goes, MM-3`() throws {
    var matcher = matcher(try tee())
    let answer = matcher.match(
      Fix(
        place: TinyMap.coordinate(250, 3), time: Instant(seconds: 1_790_000_000), bearingDeg: 270,
        speedMps: 10))
    let place = try #require(answer.match.place)
    #expect(place.segment == SegmentReference(way: 100, from: 1, to: 0))
    #expect(place.probability > 0.9)
  }

  @Test func `a course counts for nothing below 1 m a second, MM-3`() throws {
    var matcher = matcher(try tee())
    let answer = matcher.match(
      Fix(
        place: TinyMap.coordinate(250, 3), time: Instant(seconds: 1_790_000_000), bearingDeg: 270,
        speedMps: 0.9))
    #expect(try #require(answer.match.place).probability < 0.6)
  }

  @Test func `one outlier of 300 m does not move the matched road, MM-4`() throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(2000, 0)])
    map.line([map.node(0, 300), map.node(2000, 300)])
    var matcher = matcher(try map.graph())
    var drive = Drive()
    drive.along([(100, 0), (700, 0)], speedMps: 20)
    drive.fixes[15].place = TinyMap.coordinate(400, 300)
    let matches = matcher.match(all: drive.fixes)
    #expect(matches[15].reason == .outlier)
    #expect(matches.enumerated().filter { $0.offset != 15 }.allSatisfy { $0.element.road == 0 })
    #expect(matches.allSatisfy { !$0.isTeleport })
  }

  @Test func `a jump that persists for 5 s restarts the match and says so, MM-4`() throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(2000, 0)])
    map.line([map.node(0, 3000), map.node(2000, 3000)])
    var matcher = matcher(try map.graph())
    var drive = Drive()
    drive.along([(100, 0), (280, 0)], speedMps: 20)
    let jumpsAt = drive.fixes.count
    drive.along([(300, 3000), (600, 3000)], speedMps: 20)
    let matches = matcher.match(all: drive.fixes)
    let first = try #require(matches.firstIndex { $0.isTeleport })
    #expect(first == jumpsAt + 5)
    #expect(matches[jumpsAt..<first].allSatisfy { $0.reason == .outlier })
    #expect(matches[first...].allSatisfy { $0.road == 1 })
    #expect(matches.count { $0.isTeleport } == 1)
  }

  @Test(arguments: [1, 10, 20, 50])
  func `a jump is believed after 5 s at any rate, MM-4`(hz: Double) throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(2000, 0)])
    map.line([map.node(0, 3000), map.node(2000, 3000)])
    var matcher = matcher(try map.graph())
    var drive = Drive()
    drive.along([(100, 0), (200, 0)], speedMps: 20, intervalS: 1 / hz)
    let jumpsAt = drive.now
    drive.along([(300, 3000), (500, 3000)], speedMps: 20, intervalS: 1 / hz)
    let matches = matcher.match(all: drive.fixes)
    let first = try #require(matches.first { $0.isTeleport }?.fix.time)
    #expect(abs(first.seconds(since: jumpsAt) - 5) < 0.1)
    #expect(matches.last?.road == 1)
  }

  @Test
  func `a jump is believed by the third fix at the soonest, however far apart they are, MM-4`()
    throws
  {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(2000, 0)])
    map.line([map.node(0, 3000), map.node(2000, 3000)])
    var matcher = matcher(try map.graph())
    var drive = Drive()
    drive.along([(100, 0), (600, 0)], speedMps: 20, intervalS: 6)
    let jumpsAt = drive.fixes.count
    drive.along([(700, 3000), (1500, 3000)], speedMps: 20, intervalS: 6)
    let first = matcher.match(all: drive.fixes).firstIndex { $0.isTeleport }
    #expect(first == jumpsAt + 2)
  }

  @Test func `a trace with one fix of the future goes on behind it, MM-4`() throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(2000, 0)])
    var drive = Drive()
    drive.along([(100, 0), (1500, 0)], speedMps: 20)
    drive.fixes[20].time = drive.now.advanced(bySeconds: 1e7)
    let network = MatchingNetwork(graph: try map.graph(), mode: .car)
    let matches = network.match(trace: drive.fixes).matches
    #expect(matches.dropFirst(28).allSatisfy { $0.road == 0 })
  }

  @Test func `no match says why, MM-5`() throws {
    var matcher = matcher(try tee())
    let start = Instant(seconds: 1_790_000_000)
    func fix(_ east: Double, _ north: Double, _ second: Double, accuracyM: Double = 5) -> Fix {
      Fix(
        place: TinyMap.coordinate(east, north), time: start.advanced(bySeconds: second),
        accuracyM: accuracyM)
    }
    #expect(matcher.match(fix(250, 0, 0, accuracyM: 400)).match.reason == .warmingUp)
    #expect(matcher.match(fix(250, 250, 1)).match.reason == .offRoad)
    #expect(matcher.match(fix(900, 300, 20)).match.reason == .offRoad)
    #expect(matcher.match(fix(900, 5000, 21)).match.reason == .outlier)
    matcher.reset()
    #expect(matcher.match(fix(90_000, 5000, 22)).match.reason == .noMapData)
  }

  @Test func `against a one-way is the wrong way, on a two-way road nothing is, MM-7`() throws {
    for isOneWay in [true, false] {
      var map = TinyMap()
      map.line([map.node(0, 0), map.node(500, 0), map.node(1000, 0)], oneWay: isOneWay)
      var matcher = matcher(try map.graph())
      var drive = Drive()
      drive.along([(900, 3), (200, 3)], speedMps: 12)
      let places = matcher.match(all: drive.fixes).compactMap(\.place)
      #expect(places.count == drive.fixes.count)
      #expect(places.dropFirst(3).allSatisfy { $0.isWrongWay == isOneWay })
      #expect(places.dropFirst(3).allSatisfy { abs($0.bearingDeg - 270) < 1 })
      let last = try #require(places.last)
      #expect(last.segment == SegmentReference(way: 100, from: 1, to: 0))
      #expect(abs(last.offsetM - 296) < 8)
    }
  }

  @Test func `along a one-way is not the wrong way, MM-7`() throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(500, 0), map.node(1000, 0)], oneWay: true)
    for seed in 0..<20 as Range<UInt64> {
      var matcher = matcher(try map.graph())
      var drive = Drive(seed: seed, sigmaM: 6, hasSpeed: seed % 2 == 0)
      drive.along([(100, 3), (900, 3)], speedMps: 12)
      let matches = matcher.match(all: drive.fixes)
      #expect(matches.allSatisfy { $0.place?.isWrongWay == false })
    }
  }

  @Test func `each fix is smoothed once, 5 fixes or 10 s later, MM-8`() throws {
    let graph = try tee()
    for (intervalS, lag) in [(1.0, 5), (4.0, 3), (15.0, 1)] {
      var matcher = matcher(graph)
      var drive = Drive()
      drive.along([(10, 0), (990, 0)], speedMps: 60 / intervalS, intervalS: intervalS)
      var smoothed: [Match] = []
      for (index, fix) in drive.fixes.enumerated() {
        smoothed += matcher.match(fix).smoothed
        #expect(smoothed.count == max(0, index + 1 - lag))
      }
      smoothed += matcher.finish()
      #expect(smoothed.map(\.fix) == drive.fixes)
    }
  }

  @Test func `what comes later mends the smoothed answer, MM-8`() throws {
    // A fork of two roads that part slowly: only later fixes tell which was taken.
    var map = TinyMap()
    let (a, b) = (map.node(0, 0), map.node(300, 0))
    map.line([a, b], oneWay: true)
    map.line([b, map.node(800, 40)], oneWay: true)
    map.line([b, map.node(800, -40)], oneWay: true)
    var matcher = matcher(try map.graph())
    var drive = Drive()
    // A bias of 4 m to the wrong side holds until the roads lie well apart.
    drive.along([(100, 4), (300, 4), (340, 1), (480, -11), (800, -37)], speedMps: 20)
    let answers = drive.fixes.map { matcher.match($0) }
    let smoothed = answers.flatMap(\.smoothed) + matcher.finish()
    let filteredWrong = answers.count { $0.match.road == 1 }
    let smoothedWrong = smoothed.count { $0.road == 1 }
    #expect(filteredWrong > 0)
    #expect(smoothedWrong < filteredWrong)
  }

  @Test func `mode decides the network, MM-10`() throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(1000, 0)])
    // A street closed to cars: nothing but their mode keeps them off it.
    map.road(map.node(0, 25), map.node(1000, 25), modes: [.pedestrian, .bicycle])
    let graph = try map.graph()
    var drive = Drive()
    drive.along([(100, 23), (300, 23)], speedMps: 3)
    for (mode, road) in [(TravelMode.car, 0), (.pedestrian, 1), (.bicycle, 1)] {
      var matcher = matcher(graph, mode: mode)
      #expect(matcher.match(all: drive.fixes).allSatisfy { $0.road == road })
    }
  }

  @Test func `a car keeps to the street beside a track that it may use, MM-10`() throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(1000, 0)])
    map.road(map.node(0, 25), map.node(1000, 25), speedKmh: 15, class: .track)
    let graph = try map.graph()
    // A bias of 16 m, as between houses: nearer to the track than to the street.
    var drive = Drive(hasSpeed: false)
    drive.along([(100, 16), (900, 16)], speedMps: 10)
    var car = matcher(graph)
    #expect(car.match(all: drive.fixes).allSatisfy { $0.road == 0 })
    var walker = matcher(graph, mode: .pedestrian)
    #expect(walker.match(all: drive.fixes).allSatisfy { $0.road == 1 })
    // Where there is no street the track is what it drives on.
    var alone = TinyMap()
    alone.road(alone.node(0, 0), alone.node(1000, 0), speedKmh: 15, class: .track)
    var farmer = matcher(try alone.graph())
    #expect(farmer.match(all: drive.fixes).allSatisfy { $0.road == 0 })
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `standing still the position and the bearing hold, MM-11`(seed: UInt64) throws {
    var matcher = matcher(try tee())
    var drive = Drive(seed: seed, sigmaM: 4)
    drive.along([(100, 0), (490, 0)], speedMps: 10)
    let moving = drive.fixes.count
    drive.stand(490, 0, seconds: 60)
    let held = matcher.match(all: drive.fixes)[(moving - 1)...].compactMap(\.place)
    #expect(held.count == 61)
    let first = try #require(held.first)
    #expect(held.allSatisfy { $0.coordinate == first.coordinate })
    #expect(held.allSatisfy { $0.bearingDeg == first.bearingDeg })
    #expect(held.allSatisfy { $0.state == first.state })
  }

  @Test func `by one fix alone nobody begins against a one-way, MM-7`() throws {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(500, 0)], oneWay: true)
    var matcher = OnlineMatcher(network: MatchingNetwork(graph: try map.graph(), mode: .car))
    let fix = Fix(place: TinyMap.coordinate(250, 3), time: Instant(seconds: 1_790_000_000))
    let place = try #require(matcher.match(fix).match.place)
    #expect(!place.isWrongWay && place.probability > 0.99)
  }
}
