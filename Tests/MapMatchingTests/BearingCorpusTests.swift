import Foundations
import Geodesy
import MapMatching
import Positioning
import RoadGraph
import Testing

/// Simulated drives with known segments, matched with and without the reported bearing and speed.
@Suite struct BearingCorpusTests {
  /// The numbers of fixes on a wrong road, on a wrong segment or in a wrong direction, and on none.
  private struct Errors {
    var road = 0
    var segment = 0
    var none = 0

    mutating func add(_ more: Errors) {
      road += more.road
      segment += more.segment
      none += more.none
    }
  }

  private struct KnownDrive {
    var fixes: [Fix]
    /// The true segments, one for each fix.
    var truth: [SegmentReference]
  }

  /// Pairs of parallel streets 30 m apart, the pairs 110 m apart, crossing each other.
  private struct Town {
    static let side = 8
    var map = TinyMap()
    /// The number of the road between two nodes, by the lower and the higher.
    var roads: [[Int]: Int] = [:]

    init() {
      let lines: [Double] = [0, 30, 140, 170, 280, 310, 420, 450]
      for north in lines { for east in lines { _ = map.node(east, north) } }
      for node in map.places.indices {
        for next in Self.neighbours(node) where next > node {
          roads[[node, next]] = map.roads.count
          map.road(node, next)
        }
      }
    }

    static func neighbours(_ node: Int) -> [Int] {
      let (x, y) = (node % side, node / side)
      return [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)].filter {
        (0..<side).contains($0.0) && (0..<side).contains($0.1)
      }.map { $0.1 * side + $0.0 }
    }

    func segment(_ from: Int, _ to: Int) -> SegmentReference? {
      roads[[min(from, to), max(from, to)]].map {
        SegmentReference(way: Int64(100 + $0), from: Int64(from), to: Int64(to))
      }
    }

    /// A random drive over 8 segments without a turn back, with one fix per second; bearing and
    /// speed have errors as well.
    func drive(seed: UInt64, sigmaM: Double) throws -> KnownDrive {
      var drive = Drive(seed: seed, sigmaM: sigmaM)
      var random = SplitMix64(seed: seed &+ 1000)
      var nodes = [Int.random(in: map.places.indices, using: &random)]
      while nodes.count < 9 {
        let ways = Self.neighbours(nodes[nodes.count - 1]).filter { !nodes.suffix(2).contains($0) }
        nodes.append(try #require(ways.randomElement(using: &random)))
      }
      let speedMps = 7 + 7 * random.unit()
      var truth: [SegmentReference] = []
      var offsetM = 0.0
      for (from, to) in zip(nodes, nodes.dropFirst()) {
        let way = Polyline([from, to].map { TinyMap.plane.coordinate(map.places[$0]) })
        while offsetM < way.lengthM {
          let place = try #require(way.coordinate(atM: offsetM))
          let courseDeg = way.bearingDeg(atM: offsetM).map {
            Angle.normalizedDeg($0 + 8 * random.gaussian())
          }
          drive.add(
            place, bearingDeg: courseDeg, speedMps: speedMps + 0.5 * random.gaussian(), 1)
          truth.append(try #require(segment(from, to)))
          offsetM += speedMps
        }
        offsetM -= way.lengthM
      }
      return KnownDrive(fixes: drive.fixes, truth: truth)
    }
  }

  private func errors(_ drive: KnownDrive, in network: MatchingNetwork) -> Errors {
    var matcher = OnlineMatcher(network: network)
    var errors = Errors()
    for (match, truth) in zip(matcher.match(all: drive.fixes), drive.truth) {
      guard let segment = match.place?.segment else {
        errors.none += 1
        continue
      }
      if segment.way != truth.way { errors.road += 1 }
      if segment != truth { errors.segment += 1 }
    }
    return errors
  }

  @Test(arguments: [5.0, 10.0])
  func `with bearing and speed 20 drives are on fewer wrong segments than without, MM-3`(
    sigmaM: Double
  ) throws {
    let town = Town()
    let network = MatchingNetwork(graph: try town.map.graph(), mode: .car)
    var with = Errors()
    var without = Errors()
    var count = 0
    for seed in 0..<20 as Range<UInt64> {
      var drive = try town.drive(seed: seed, sigmaM: sigmaM)
      count += drive.fixes.count
      with.add(errors(drive, in: network))
      for index in drive.fixes.indices {
        drive.fixes[index].bearingDeg = nil
        drive.fixes[index].speedMps = nil
      }
      without.add(errors(drive, in: network))
    }
    #expect(count > 900)
    #expect(with.segment < without.segment)
    #expect(with.road < without.road)
    // Fewer errors must not come from fewer matches.
    #expect(with.none <= without.none)
  }
}
