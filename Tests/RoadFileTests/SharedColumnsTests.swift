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
  private func open(_ decodes: inout Int, cache: String? = nil) throws -> RoadColumns {
    var times = 0
    let (columns, order) = try SharedColumns.open(table, folder: cache ?? folder.path("cache")) {
      () throws(RoadFileError) in
      times += 1
      return (try RoadColumns(from: table), Column([EdgeID(0)]))
    }
    decodes += times
    #expect(Array(order.records) == [EdgeID(0)])
    return columns
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
