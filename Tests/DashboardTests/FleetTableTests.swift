import BusProtocol
import MessagePack
import Messages
import Testing

@testable import Dashboard

@Suite struct FleetTableTests {
  private static let at = MonotonicTime(nanoseconds: 1_000_000_000_000)

  /// The columns of a frame, read as a browser reads them.
  private struct Columns {
    var version: UInt32
    var sentMS: Double
    var lat: [Int32] = []
    var lon: [Int32] = []
    var bearing: [UInt8] = []
    var speed: [UInt8] = []
    var state: [UInt8] = []

    init(_ bytes: [UInt8]) {
      func value<T: FixedWidthInteger>(_ offset: Int, _: T.Type) -> T {
        (0..<MemoryLayout<T>.size).reversed().reduce(0) { $0 << 8 | T(bytes[offset + $1]) }
      }
      version = value(0, UInt32.self)
      let count = Int(value(4, UInt32.self))
      sentMS = Double(bitPattern: value(8, UInt64.self))
      for row in 0..<count {
        lat.append(value(16 + 4 * row, Int32.self))
        lon.append(value(16 + 4 * (count + row), Int32.self))
      }
      let rest = bytes[(16 + 8 * count)...]
      bearing = Array(rest.prefix(count))
      speed = Array(rest.dropFirst(count).prefix(count))
      state = Array(rest.dropFirst(2 * count))
    }
  }

  private func match(_ change: (inout LocationMatched) -> Void = { _ in }) throws -> [UInt8] {
    var location = LocationMatched(
      state: .matched, latDeg: 47.1, lonDeg: -30.2, bearingDeg: 90, path: [], speedMps: 12.4)
    change(&location)
    return location.encoded()
  }

  @Test func `a matched location has a place, a speed and a state, RN-9`() throws {
    let driving = try #require(try FleetFix(decoding: match()))
    #expect(driving == FleetFix(latDeg: 47.1, lonDeg: -30.2, bearingDeg: 90, speedMPS: 12.4))
    let cases: [(FleetFix.State, (inout LocationMatched) -> Void)] = [
      (.guided, { $0.offRouteProbability = 0.02 }), (.offRoute, { $0.offRouteProbability = 0.95 }),
      (.standing, { $0.speedMps = 0.2 }), (.estimated, { $0.estimated = true }),
      (.wrongWay, { $0.wrongWay = true }),
    ]
    for (state, change) in cases {
      #expect(try FleetFix(decoding: match(change))?.state == state)
    }
  }

  @Test func `a location without a match stands at its fix, RN-9`() throws {
    let raw = LocationRaw(latDeg: 47.2, lonDeg: -30.1, bearingDeg: 45)
    let unmatched = try FleetFix(
      decoding: match {
        $0.state = .noMatch
        $0.reason = .offRoad
        $0.latDeg = nil
        $0.lonDeg = nil
        $0.bearingDeg = nil
        $0.raw = raw
      })
    #expect(unmatched?.state == .unmatched)
    #expect(unmatched?.latDeg == 47.2 && unmatched?.bearingDeg == 45)
    let nowhere = try FleetFix(
      decoding: match {
        $0.state = .noMatch
        $0.latDeg = nil
        $0.lonDeg = nil
      })
    #expect(nowhere == nil)
    #expect(throws: DecodeError.self) { try FleetFix(decoding: [0x91, 0x01]) }
    #expect(throws: DecodeError.self) {
      let wrong = MessagePackValue.map([
        .init("state", .string("matched")), .init("lat_deg", .double(91)),
      ])
      _ = try FleetFix(decoding: wrong.encoded())
    }
  }

  @Test func `a frame holds each vehicle in eleven bytes, RN-9`() {
    var table = FleetTable()
    table.ingest(
      FleetFix(latDeg: 47.1234567, lonDeg: -30, bearingDeg: 359.9, speedMPS: 12.4, state: .guided),
      of: "car1", at: Self.at)
    table.ingest(
      FleetFix(latDeg: -1, lonDeg: 179.5, bearingDeg: 90, speedMPS: 500, state: .driving),
      of: "car2", at: Self.at)
    let bytes = table.frame(sentMS: 12.5)
    #expect(bytes.count == 16 + 2 * 11)
    let columns = Columns(bytes)
    #expect(columns.version == 1 && columns.sentMS == 12.5)
    #expect(columns.lat == [471_234_567, -10_000_000])
    #expect(columns.lon == [-300_000_000, 1_795_000_000])
    #expect(columns.bearing == [0, 64])
    #expect(columns.speed == [25, 255])
    #expect(columns.state == [2, 1])
  }

  @Test func `names are sent in blocks, once, RN-9`() {
    var table = FleetTable()
    for number in 0..<300 {
      table.ingest(FleetFix(latDeg: 0, lonDeg: 0), of: "car\(number)", at: Self.at)
    }
    let blocks = table.drainBlocks()
    #expect(blocks.map(\.number) == [0, 1])
    #expect(blocks.map(\.names.count) == [256, 44])
    #expect(table.drainBlocks().isEmpty)
    table.ingest(FleetFix(latDeg: 1, lonDeg: 1), of: "car7", at: Self.at)
    #expect(table.drainBlocks().isEmpty)
  }

  @Test func `a silent vehicle is shown as such, and its row is used again later, RN-9`() {
    var table = FleetTable()
    table.ingest(FleetFix(latDeg: 1, lonDeg: 1), of: "old", at: Self.at)
    table.ingest(FleetFix(latDeg: 1, lonDeg: 1), of: "other", at: Self.at)
    _ = table.drainBlocks()
    table.age(now: Self.at.advanced(byMS: FleetTable.silentMS + 1))
    #expect(Columns(table.frame(sentMS: 0)).state == [8, 8])
    let later = Self.at.advanced(byMS: FleetTable.goneMS + 1)
    table.ingest(FleetFix(latDeg: 1, lonDeg: 1), of: "other", at: later)
    table.age(now: later)
    #expect(Columns(table.frame(sentMS: 0)).state == [0, 1])
    table.ingest(FleetFix(latDeg: 2, lonDeg: 2), of: "new", at: later)
    #expect(table.names == ["new", "other"])
    #expect(table.drainBlocks().map(\.number) == [0])
  }
}
