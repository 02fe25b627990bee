import Messages
import Testing

@Suite struct `What does not decode` {
  /// A map of one-byte keys or longer, by hand.
  private func map(_ pairs: [(String, MessagePackValue)]) -> [UInt8] {
    MessagePackValue.map(pairs.map { .init($0.0, $0.1) }).encoded()
  }

  private func refusal<T: StructMessage>(_: T.Type, _ bytes: [UInt8]) -> DecodeError? {
    do throws(DecodeError) {
      _ = try T(decoding: bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a missing field is named`() throws {
    let error = try #require(refusal(LocationRaw.self, map([("lat_deg", .double(1))])))
    #expect(error.reason == .missingField)
    #expect(error.path == "lon_deg")
    #expect(error.byteOffset == 0)
  }

  @Test func `latitude 91 is out of range and NaN is no number, LOC-7`() throws {
    for bad in [91.0, -90.5, .nan, .infinity] {
      let bytes = map([("lat_deg", .double(bad)), ("lon_deg", .double(2))])
      let error = try #require(refusal(LocationRaw.self, bytes))
      #expect(error.reason == .outOfRange)
      #expect(error.path == "lat_deg")
      #expect(error.byteOffset == 9)
      #expect(error.message.contains("lat_deg"))
    }
  }

  @Test func `a place deep inside is named with its path`() throws {
    let fix = map([("lat_deg", .int(1)), ("lon_deg", .string("x"))])
    let fixValue = try MessagePackValue(decoding: fix)
    let trace = map([("fixes", .array([try MessagePackValue(decoding: goodFix), fixValue]))])
    let error = try #require(refusal(MatchTraceRequest.self, trace))
    #expect(error.reason == .wrongType)
    #expect(error.path == "fixes[1].lon_deg")
    #expect(trace[error.byteOffset] == 0xa1)
  }

  private var goodFix: [UInt8] { LocationRaw(latDeg: 1, lonDeg: 2).encoded() }

  @Test func `unknown keys of any shape are ignored, BUS-5`() throws {
    let strange = MessagePackValue.map([
      .init("deep", .array([.map([.init("er", .bytes([1, 2]))]), .null, .uint(.max)]))
    ])
    let bytes = map([
      ("from_the_future", strange), ("lat_deg", .double(1)), ("x", .null), ("lon_deg", .double(2)),
    ])
    #expect(try LocationRaw(decoding: bytes) == LocationRaw(latDeg: 1, lonDeg: 2))
  }

  @Test func `an integer is taken for a float, a float not for an integer`() throws {
    let whole = map([("lat_deg", .int(-3)), ("lon_deg", .int(120))])
    #expect(try LocationRaw(decoding: whole) == LocationRaw(latDeg: -3, lonDeg: 120))
    let bytes = map([
      ("lat_deg", .int(1)), ("lon_deg", .int(1)), ("time_ns", .double(1)),
    ])
    #expect(refusal(LocationRaw.self, bytes)?.path == "time_ns")
  }

  @Test func `nil counts as absent, for required fields too`() throws {
    let fine = map([("lat_deg", .int(1)), ("lon_deg", .int(1)), ("speed_mps", .null)])
    #expect(try LocationRaw(decoding: fine).speedMps == nil)
    let bytes = map([("lat_deg", .null), ("lon_deg", .int(1))])
    #expect(refusal(LocationRaw.self, bytes)?.reason == .missingField)
  }

  @Test func `a field that is there twice is refused`() {
    let bytes = map([("lat_deg", .int(1)), ("lat_deg", .int(2)), ("lon_deg", .int(1))])
    let error = refusal(LocationRaw.self, bytes)
    #expect(error?.reason == .duplicateField)
    #expect(error?.path == "lat_deg")
  }

  @Test
  func `an unknown word is refused where the set is closed and read as other where it is open`()
    throws
  {
    let closed = refusal(LocationMatched.self, map([("state", .string("lost"))]))
    #expect(closed?.reason == .unknownWord)
    #expect(closed?.path == "state")
    let road = try WireRoad(decoding: map([("road_class", .string("hyperloop"))]))
    #expect(road.roadClass == .other)
  }

  @Test func `columns of unequal length are refused`() {
    let bytes = map([("way", .array([.int(1)])), ("from", .array([.int(1)]))])
    let error = refusal(WireRouteSegments.self, bytes)
    #expect(error?.reason == .unequalColumns)
    #expect(error?.path == "to")
  }

  @Test func `bytes after the end are refused`() {
    let error = refusal(LocationRaw.self, goodFix + [0])
    #expect(error?.reason == .trailingBytes)
    #expect(error?.byteOffset == goodFix.count)
  }

  @Test(
    arguments: [
      [0xdf, 0xff, 0xff, 0xff, 0xff], [0xde, 0xff, 0xff], [0x81, 0xdb, 0xff, 0xff, 0xff, 0xff],
      [0x81, 0xa7] + Array("matches".utf8) + [0xdd, 0xff, 0xff, 0xff, 0xff],
      [0x81, 0xa1, 0x78, 0xc6, 0xff, 0xff, 0xff, 0xff], [0x81, 0xa1, 0x78, 0xc9, 0xff, 0xff, 0xff],
    ] as [[UInt8]])
  func `a length beyond the bytes is refused and allocates nothing`(bytes: [UInt8]) {
    let reason = refusal(MatchTraceReply.self, bytes)?.reason
    #expect(reason == .lengthOverflow || reason == .truncated)
  }

  @Test func `nesting without end is refused and not followed`() {
    let deep = [0x81, 0xa1, 0x78] + [UInt8](repeating: 0x91, count: 100_000) + [0xc0]
    #expect(refusal(LocationRaw.self, deep)?.reason == .tooDeep)
    #expect(throws: DecodeError.self) { try MessagePackValue(decoding: deep) }
  }

  @Test func `text that is not UTF-8 is refused`() {
    let bytes: [UInt8] = [0x81, 0xa4] + Array("text".utf8) + [0xa2, 0xc3, 0x28]
    #expect(refusal(VoiceRepeatReply.self, bytes)?.reason == .invalidText)
  }
}
