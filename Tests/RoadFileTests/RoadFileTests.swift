import DrawnMaps
import Foundation
import Foundations
import Geodesy
import MapMaking
import RoadGraph
import Testing

@testable import RoadFile

@Suite struct RoadFileTests {
  @Test func `what is written is read, byte for byte, OF-2`() throws {
    let folder = try Scratch()
    let map = try smallMap()
    let path = folder.path("small.navmap")
    let size = try RoadFile.write(map.graph.columns, hash: map.graph.hash, to: path)
    let graph = try RoadFile.open(path: path)
    #expect(graph.hash == map.graph.hash)
    #expect(ContentHash.hash(graph.columns) == map.graph.hash)
    #expect(graph.edgeCount == map.graph.edgeCount)
    #expect(graph.name(try map.edge("ab")) == "High Street")
    #expect(try folder.bytes("small.navmap").count == size)
    #expect(try folder.names == ["small.navmap"])
    try RoadFile.verify(path: path)
    exercise(graph)
  }

  @Test func `the map stays in memory while a graph lives, though the file is gone`() throws {
    let folder = try Scratch()
    let map = try smallMap()
    let path = folder.path("small.navmap")
    try RoadFile.write(map.graph.columns, hash: map.graph.hash, to: path)
    let columns = try RoadFile.open(path: path).columns
    try FileManager.default.removeItem(atPath: path)
    #expect(ContentHash.hash(columns) == map.graph.hash)
  }

  @Test func `sections lie at multiples of 64 bytes and info lists them`() throws {
    let folder = try Scratch()
    let map = try smallMap()
    let path = folder.path("small.navmap")
    try RoadFile.write(map.graph.columns, hash: map.graph.hash, to: path)
    let info = try RoadFile.info(path: path)
    #expect(info.edges == map.graph.edgeCount)
    #expect(info.bans == 1)
    #expect(info.sections.allSatisfy { $0.offset % 64 == 0 })
    #expect(info.sections.contains { $0.name == "edge.link" })
    #expect(info.kilometres["primary"].map { abs($0 - 0.4) < 0.01 } == true)
  }

  @Test func `an empty map is a map`() throws {
    let folder = try Scratch()
    let made = try GraphMaker.make(OSMData())
    let path = folder.path("empty.navmap")
    try RoadFile.write(made.columns, hash: made.hash, to: path)
    #expect(try RoadFile.open(path: path).edgeCount == 0)
  }

  // MARK: Damage

  private func sentence(_ path: String) -> String? {
    do throws(RoadFileError) {
      _ = try RoadFile.open(path: path)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `a missing, empty or strange file gets one sentence with its name`() throws {
    let folder = try Scratch()
    let missing = folder.path("missing.navmap")
    #expect(sentence(missing) == "\(missing): cannot open the map: No such file or directory")
    let empty = try folder.write([], to: "empty.navmap")
    #expect(sentence(empty) == "\(empty): is not a complete map file: it is empty (byte 0)")
    let strange = try folder.write(Array("hello, world".utf8), to: "strange.navmap")
    #expect(
      sentence(strange)
        == "\(strange): is not a complete map file: its first bytes are not those of a map (byte 0)"
    )
    #expect(sentence("/dev/null")?.contains("not a regular file") == true)
  }

  @Test func `a map of another format is refused by its number`() throws {
    let folder = try Scratch()
    let map = try smallMap()
    let path = folder.path("small.navmap")
    try RoadFile.write(map.graph.columns, hash: map.graph.hash, to: path)
    var bytes = try folder.bytes("small.navmap")
    bytes[8] = 9
    let newer = try folder.write(bytes, to: "newer.navmap")
    #expect(sentence(newer)?.contains("format 9, this program reads format 2") == true)
  }

  @Test func `a file cut anywhere is refused`() throws {
    let folder = try Scratch()
    let map = try smallMap()
    let path = folder.path("small.navmap")
    try RoadFile.write(map.graph.columns, hash: map.graph.hash, to: path)
    let bytes = try folder.bytes("small.navmap")
    let sections = try RoadFile.info(path: path).sections
    var cuts = Set(sections.flatMap { [Int($0.offset), Int($0.offset + $0.size)] })
    cuts.formUnion([1, 7, 8, 12, 63, 64, 65, bytes.count - 1])
    for cut in cuts.sorted() where cut < bytes.count {
      let short = try folder.write(bytes.prefix(cut), to: "cut.navmap")
      #expect(sentence(short) != nil, "cut at \(cut)")
    }
  }

  @Test(arguments: 0..<8 as Range<Int>)
  func `a flipped bit anywhere in the file is found`(bit: Int) throws {
    let folder = try Scratch()
    let map = try smallMap()
    let path = folder.path("small.navmap")
    try RoadFile.write(map.graph.columns, hash: map.graph.hash, to: path)
    let bytes = try folder.bytes("small.navmap")
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(bit)
      #expect(throws: RoadFileError.self, "byte \(place)") {
        try RoadFile.open(bytes: damaged, name: "flipped")
      }
    }
  }

  /// Hostile files: wrong indices under right checksums.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `wrong indices under right checksums never crash`(seed: UInt64) throws {
    let folder = try Scratch()
    let map = try smallMap()
    let path = folder.path("small.navmap")
    try RoadFile.write(map.graph.columns, hash: map.graph.hash, to: path)
    let bytes = try folder.bytes("small.navmap")
    let sections = try RoadFile.info(path: path).sections.filter { $0.size > 0 }
    var random = SplitMix64(seed: seed &+ 1000)
    var refused = 0
    for _ in 0..<60 {
      var damaged = bytes
      let section = sections[Int(random.next() % UInt64(sections.count))]
      let place = Int(section.offset + random.next() % section.size)
      damaged[place] = UInt8(truncatingIfNeeded: random.next())
      Self.seal(&damaged, count: try RoadFile.info(path: path).sections.count)
      let file = try folder.write(damaged, to: "hostile.navmap")
      do throws(RoadFileError) {
        exercise(try RoadFile.open(path: file))
      } catch {
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  /// Puts right checksums on changed bytes.
  private static func seal(_ bytes: inout [UInt8], count: Int) {
    func word(_ offset: Int) -> Int {
      (0..<8).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    func put(_ value: UInt32, _ offset: Int) {
      for k in 0..<4 { bytes[offset + k] = UInt8(truncatingIfNeeded: value >> (8 * k)) }
    }
    for k in 0..<count {
      let entry = 64 + 64 * k
      let (start, size) = (word(entry + 32), word(entry + 40))
      put(Array(bytes[start..<start + size]).withUnsafeBytes { Checksum.crc32c($0) }, entry + 56)
    }
    let table = Array(bytes[64..<64 + 64 * count])
    put(table.withUnsafeBytes { Checksum.crc32c($0) }, 32)
    put(Array(bytes[0..<36]).withUnsafeBytes { Checksum.crc32c($0) }, 36)
  }

  @Test func `the checksum is the known one`() {
    // The check value of CRC-32C in the literature.
    #expect(Array("123456789".utf8).withUnsafeBytes { Checksum.crc32c($0) } == 0xe306_9283)
  }
}
