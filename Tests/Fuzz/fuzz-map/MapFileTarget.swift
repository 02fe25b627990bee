import Foundation
import Fuzzing
import Geodesy
import MapMaking
import RoadFile
import RoadGraph

/// Map files with anything changed, under wrong checksums and under right ones.
struct MapFileTarget: FuzzTarget {
  static let name = "navmap"
  static let about = ".navmap: opened, and if it is taken for one, asked about everything"

  private let whole: [UInt8]

  init(_ corpus: Corpus) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fuzz-map-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appendingPathComponent("small.osm")
    try Data(OSMXML.text(SmallTown.data).utf8).write(to: source)
    let path = folder.appendingPathComponent("small.navmap")
    try RoadFile.build(from: [source.path], to: path.path)
    whole = [UInt8](try Data(contentsOf: path))
  }

  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    var bytes = whole
    let length = bytes.count
    if dice.oneIn(6) {
      ByteMutation.spoil(&bytes, with: [whole], &dice, longest: 2 * length)
    } else {
      for _ in 0...dice.below(4) {
        let place = dice.below(length)
        bytes[place] = dice.oneIn(2) ? dice.byte() : dice.pick([0, 1, 0x7f, 0x80, 0xff])
      }
    }
    if !dice.oneIn(5) { Seal.put(on: &bytes) }
    return [bytes]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    let graph: RoadGraph
    do throws(RoadFileError) {
      graph = try RoadFile.open(bytes: input[0], name: "fuzz.navmap")
    } catch {
      try promise(error.description.hasPrefix("fuzz.navmap"), "no name in: \(error)")
      return "refused"
    }
    ask(graph)
    return input[0] == whole ? "whole" : "taken"
  }

  /// Looks at all that a graph can tell: a wrong index would end the process.
  private func ask(_ graph: RoadGraph) {
    let book = RuleBook(graph)
    let index = SegmentIndex(graph)
    for edge in (0..<graph.edgeCount).map({ EdgeID($0) }) {
      let road = graph.attributes(edge)
      for path in RoadAttributes.textPaths { _ = graph.text(road[keyPath: path]) }
      _ = (graph.shape(edge), graph.twin(edge), road.country, road.numberLevel, road.speedLimitMps)
      _ = index.edge(graph.reference(edge))
      _ = book.rules(edge)
      for restriction in graph.restrictions(startingAt: edge) {
        _ = graph.restrictedSequence(restriction)
      }
      for mode in TravelMode.allCases { _ = road.freeFlowMps(mode) }
    }
    for node in (0..<graph.nodeCount).map({ NodeID($0) }) {
      _ = (Array(graph.edges(entering: node)), graph.junction(node))
    }
    if let box = graph.boundingBox {
      graph.forEachPiece(in: box) { _ in }
      let corner = Coordinate(latitudeDeg: box.southDeg, longitudeDeg: box.westDeg)
      _ = graph.edges(near: corner, withinM: 300)
    }
  }
}

/// Right checksums on changed bytes.
enum Seal {
  static func put(on bytes: inout [UInt8]) {
    guard bytes.count >= 64 else { return }
    let count = word(bytes, 12, 4)
    guard count <= 256, 64 + 64 * count <= bytes.count else { return }
    for entry in stride(from: 64, to: 64 + 64 * count, by: 64) {
      let (start, size) = (word(bytes, entry + 32, 8), word(bytes, entry + 40, 8))
      guard start >= 0, size >= 0, start <= bytes.count, size <= bytes.count - start else {
        continue
      }
      write(crc(bytes[start..<start + size]), entry + 56, &bytes)
    }
    write(crc(bytes[64..<64 + 64 * count]), 32, &bytes)
    write(crc(bytes[0..<36]), 36, &bytes)
  }

  private static func word(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  private static func write(_ value: UInt32, _ offset: Int, _ bytes: inout [UInt8]) {
    for k in 0..<4 { bytes[offset + k] = UInt8(truncatingIfNeeded: value >> (8 * k)) }
  }

  /// CRC-32C, a bit at a time.
  private static func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0x82f6_3b78 : crc >> 1 }
    }
    return ~crc
  }
}
