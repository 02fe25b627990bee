import Foundations
import Testing

@testable import RoadGraph

@Suite struct ColumnCodingTests {
  private struct Row: BitwiseCopyable, Equatable {
    var a: UInt32
    var b: Int32
    var c: UInt32
  }

  private func back<E: BitwiseCopyable>(_ records: [E], _ coding: ColumnCoding) -> [E]? {
    guard let bytes = coding.encoded(Column(records)) else { return nil }
    return bytes.withUnsafeBytes {
      coding.decoded($0, count: records.count, of: E.self).map { Array($0.records) }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `what is coded comes back`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let bits = Int.random(in: 0...31, using: &random)
    let words = (0..<200).map { _ in UInt32.random(in: 0...(.max >> bits), using: &random) }
    let longs =
      (0..<200).map { _ in Int64.random(in: .min...(.max), using: &random) } + [.min, .max, 0]
    #expect(back(words, .varint) == words)
    #expect(back(words, .deltas) == words)
    #expect(back(longs, .deltas) == longs)
    #expect(back(longs, .varint) == longs)
    let rows = words.map { Row(a: $0, b: Int32(bitPattern: $0 &* 7), c: 5) }
    #expect(back(rows, .rows) == rows)
    #expect(back([UInt8](), .varint) == nil)
  }

  @Test(arguments: [ColumnCoding.varint, .deltas, .rows])
  func `bytes that are cut, longer or too large are refused`(coding: ColumnCoding) throws {
    let records: [UInt32] = [7, 1 << 30, 3, .max]
    let bytes = try #require(coding.encoded(Column(records)))
    func decoded(_ bytes: [UInt8], _ count: Int) -> Column<UInt32>? {
      bytes.withUnsafeBytes { coding.decoded($0, count: count, of: UInt32.self) }
    }
    #expect(decoded(bytes, 4) != nil)
    for cut in 0..<bytes.count { #expect(decoded(Array(bytes.prefix(cut)), 4) == nil) }
    #expect(decoded(bytes + [0], 4) == nil)
    #expect(decoded(bytes, 1 << 40) == nil)
    #expect(decoded([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02], 1) == nil)
  }

  @Test func `points come back, across the antimeridian too`() throws {
    let shapes: [[(Int32, Int32)]] = [
      [], [(10, 1_799_999_999), (20, -1_799_999_999)], [(0, 0)], [], [(-900_000_000, 5)],
      [(900_000_000, -1_800_000_000), (-900_000_000, 1_800_000_000)],
    ]
    var columns = RoadColumns()
    columns.nodeLatitude = Column([5])
    columns.nodeLongitude = Column([1_799_999_990])
    columns.tail = Column(shapes.map { _ in NodeID(0) })
    columns.pieceEdge = Column(shapes.indices.map { EdgeID($0) })
    var coded = PieceShapes()
    for shape in shapes {
      coded.startPiece(latitudeE7: 5, longitudeE7: 1_799_999_990, pointCount: shape.count)
      for (lat, lon) in shape { coded.append(latitudeE7: lat, longitudeE7: lon) }
    }
    coded.finish(&columns)
    try columns.validatePoints()
    for (piece, shape) in shapes.enumerated() {
      var found: [(Int32, Int32)] = []
      columns.forEachPoint(ofPiece: piece) { found.append(($0, $1)) }
      #expect(found.elementsEqual(shape, by: ==))
      #expect(columns.pointCount(ofPiece: piece) == shape.count)
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `the columns of a made map follow from those that are stored`(seed: UInt64) throws {
    var columns = try RandomMap.graph(seed: seed).columns
    #expect(columns.isCanonical)
    columns.lengthMM = Column(columns.lengthMM.records.map { $0 + 1 } + [])
    #expect(columns.isCanonical)
    columns.twin = Column([EdgeID(rawValue: .max)] + columns.twin.records.dropFirst())
    #expect(!columns.isCanonical)
  }
}
