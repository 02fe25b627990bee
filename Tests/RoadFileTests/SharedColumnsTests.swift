import DrawnMaps
import Foundation
import RoadGraph
import Testing

@testable import RoadFile

/// Processes share what one of them decoded of a map.
@Suite struct SharedColumnsTests {
  private let folder: Scratch
  private let table: FileTable
  private let place: String

  init() throws {
    folder = try Scratch()
    let map = try smallMap()
    let path = folder.path("small.navmap")
    try RoadFile.write(map.graph.columns, hash: map.graph.hash, order: [EdgeID(0)], to: path)
    table = try FileTable(MappedFile(path: path))
    place = SharedColumns.place(of: table, folder: folder.path("cache"))
  }

  /// Opens the map; `decodes` counts how often it had to be decoded.
  private func open(
    _ decodes: inout Int, of map: FileTable? = nil, order: [EdgeID] = [EdgeID(0)],
    cache: String? = nil, verifiedUpTo: Int = .max
  ) throws -> RoadColumns {
    let map = map ?? table
    var times = 0
    var opened: RoadColumns?
    _ = try SharedColumns.graph(
      of: map, folder: cache ?? folder.path("cache"), verifiedUpTo: verifiedUpTo,
      decode: { () throws(RoadFileError) in
        times += 1
        return (try RoadColumns(from: map), Column(order))
      },
      make: { (decoded) throws(RoadFileError) in
        opened = decoded.columns
        #expect(Array(decoded.order.records) == order)
        do throws(GraphFault) {
          return try RoadGraph(columns: decoded.columns, hash: map.hash)
        } catch {
          throw .structure(path: map.file.path, reason: error.description)
        }
      })
    decodes += times
    return try #require(opened)
  }

  /// Every column's bytes by its name.
  private struct Bytes: ColumnExchange {
    var all: [String: [UInt8]] = [:]
    var owners: [ObjectIdentifier] = []

    mutating func exchange<Element: BitwiseCopyable>(
      _ name: String, _ column: inout Column<Element>
    ) {
      all[name] = Array(UnsafeRawBufferPointer(column.records))
      owners += column.owner.map { [ObjectIdentifier($0)] } ?? []
    }
  }

  private func bytes(_ columns: RoadColumns) -> Bytes {
    var columns = columns
    var bytes = Bytes()
    columns.exchange(with: &bytes)
    return bytes
  }

  @Test func `every column comes back as it was decoded, from one mapping of one file`() throws {
    var decodes = 0
    let first = bytes(try open(&decodes))
    let second = bytes(try open(&decodes))
    #expect(decodes == 1)
    #expect(first.all == bytes(try RoadColumns(from: table)).all)
    #expect(second.all == first.all)
    #expect(Set(second.owners).count == 1)
  }

  @Test func `every column of the graph is shown`() throws {
    let columns = Mirror(reflecting: RoadColumns()).children.compactMap(\.label)
    #expect(Set(bytes(RoadColumns()).all.keys) == Set(columns))
  }

  @Test func `a damaged file, or one of another map, is made again`() throws {
    var decodes = 0
    let whole = bytes(try open(&decodes))
    let good = try Data(contentsOf: URL(fileURLWithPath: place))
    for at in stride(from: 0, to: good.count, by: max(1, good.count / 40)) {
      var bad = good
      bad[at] ^= 0x10
      try bad.write(to: URL(fileURLWithPath: place))
      #expect(bytes(try open(&decodes)).all == whole.all)
    }
    #expect(decodes > 30)
    try good.prefix(100).write(to: URL(fileURLWithPath: place))
    #expect(bytes(try open(&decodes)).all == whole.all)
    #expect(try Data(contentsOf: URL(fileURLWithPath: place)) == good)
  }

  @Test func `a map that claims another one's hash, or has another order, keeps its own columns`()
    throws
  {
    var decodes = 0
    let mine = bytes(try open(&decodes))
    let other = try DrawnMap("a-b-c", ways: ["abc": "highway=primary"]).graph
    let path = folder.path("other.navmap")
    try RoadFile.write(other.columns, hash: table.hash, order: [EdgeID(0)], to: path)
    let theirs = bytes(try open(&decodes, of: FileTable(MappedFile(path: path))))
    #expect(theirs.all != mine.all)
    #expect(theirs.all["head"] == Array(UnsafeRawBufferPointer(other.columns.head.records)))
    let reordered = folder.path("reordered.navmap")
    try RoadFile.write(
      try RoadColumns(from: table), hash: table.hash, order: [EdgeID(1), EdgeID(0)], to: reordered)
    _ = try open(
      &decodes, of: FileTable(MappedFile(path: reordered)), order: [EdgeID(1), EdgeID(0)])
    #expect(decodes == 3)
    #expect(bytes(try open(&decodes)).all == mine.all)
    #expect(decodes == 3)
  }

  @Test func `a long file whose columns make no graph is made again without its checksums`() throws
  {
    var decodes = 0
    let whole = bytes(try open(&decodes))
    let cached = try FileTable(MappedFile(path: place))
    let heads = try #require(cached.sections.first { $0.name == "head" })
    var bad = try Data(contentsOf: URL(fileURLWithPath: place))
    bad[Int(heads.offset) + 3] = 0xff
    try bad.write(to: URL(fileURLWithPath: place))
    #expect(bytes(try open(&decodes, verifiedUpTo: 0)).all == whole.all)
    #expect(decodes == 2)
    #expect(bytes(try open(&decodes, verifiedUpTo: 0)).all == whole.all)
    #expect(decodes == 2)
  }

  @Test func `without a cache each process decodes for itself`() throws {
    let file = folder.path("no-folder")
    try Data([1]).write(to: URL(fileURLWithPath: file))
    var decodes = 0
    for _ in 0..<2 { _ = try open(&decodes, cache: file + "/cache") }
    #expect(decodes == 2)
  }

  @Test func `the oldest of more than eight maps goes, and who has it mapped keeps it`() throws {
    var decodes = 0
    let cache = folder.path("cache")
    try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
    for number in 0..<10 {
      let other = "\(cache)/\(number).columns"
      try Data([1]).write(to: URL(fileURLWithPath: other))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(number))], ofItemAtPath: other)
    }
    _ = try open(&decodes)
    let kept = try FileManager.default.contentsOfDirectory(atPath: cache).filter {
      $0.hasSuffix(".columns")
    }
    #expect(kept.count == 8)
    #expect(!kept.contains("2.columns"))
    #expect(kept.contains("9.columns"))
  }
}
