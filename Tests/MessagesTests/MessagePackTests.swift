import Documents
import MessagePack
import Testing

@Suite struct `MessagePack` {
  @Test(
    arguments: [
      (0, 1), (127, 1), (128, 2), (255, 2), (256, 3), (65_535, 3), (65_536, 5), (4_294_967_295, 5),
      (4_294_967_296, 9), (.max, 9), (-1, 1), (-32, 1), (-33, 2), (-128, 2), (-129, 3),
      (-32_768, 3),
      (-32_769, 5), (-2_147_483_648, 5), (-2_147_483_649, 9), (.min, 9),
    ] as [(Int64, Int)])
  func `an integer takes its shortest form and comes back`(value: Int64, length: Int) throws {
    let bytes = MessagePackValue.int(value).encoded()
    #expect(bytes.count == length)
    #expect(try MessagePackValue(decoding: bytes) == .int(value))
  }

  @Test func `the greatest unsigned integer comes back and does not fit a signed one`() throws {
    let bytes = MessagePackValue.uint(.max).encoded()
    #expect(try MessagePackValue(decoding: bytes).uint == .max)
    var reader = Unpacker(bytes)
    #expect(throws: DecodeError.self) { try reader.int() }
  }

  @Test(arguments: [0, 15, 16, 31, 32, 255, 256, 65_535, 65_536])
  func `strings, lists and maps of every length class come back`(count: Int) throws {
    let values: [MessagePackValue] = [
      .string(String(repeating: "a", count: count)), .bytes([UInt8](repeating: 7, count: count)),
      .array([MessagePackValue](repeating: .null, count: count)),
      .map((0..<count).map { .init("\($0)", .bool(true)) }),
    ]
    for value in values { #expect(try MessagePackValue(decoding: value.encoded()) == value) }
  }

  @Test(arguments: [0, 1, 15, 16, 17, 40])
  func `a map whose length shows at its end gets the same bytes`(count: Int) {
    var packer = Packer()
    packer.packArrayHeader(2)
    var map = packer.beginMap()
    for _ in 0..<count { packer.field(&map, "k", Int64(3)) }
    packer.field(&map, "absent", Optional<Double>.none)
    packer.endMap(map)
    packer.pack(true)
    let entries = [MessagePackValue.Entry](repeating: .init("k", .int(3)), count: count)
    #expect(packer.bytes == MessagePackValue.array([.map(entries), .bool(true)]).encoded())
  }

  @Test func `a packed column keeps extremes`() {
    let columns: [[Int64]] = [
      [], [0], [.max], [.min], [.max, .min, .max], [4417, 4417, 4418, 1_000_000_007],
    ]
    for column in columns {
      #expect(PackedColumn.decode(PackedColumn.encode(column)[...]) == column)
    }
    #expect(PackedColumn.decode([0x80]) == nil)
    #expect(PackedColumn.decode([UInt8](repeating: 0xff, count: 11)[...]) == nil)
  }

  @Test func `JSON quotes what must be and shows bytes as hex`() {
    let value = MessagePackValue.map([
      .init("a \"b\"\n\u{1}", .array([.int(1), .double(2), .double(.nan), .null])),
      .init("raw", .bytes([0, 255, 16])), .init("empty", .map([])),
    ])
    #expect(
      value.json()
        == #"{"a \"b\"\n\u0001": [1, 2.0, null, null], "raw": {"$bytes": "00ff10"}, "empty": {}}"#)
    #expect(MessagePackValue.array([.int(1)]).json(indented: true) == "[\n  1\n]")
  }

  @Test func `a JSON document becomes a value with integers and sorted keys`() throws {
    let json =
      #"{"b": [1, 1.0, 1e3, 0.5, 1700000000123456789], "a": {"x": null, "": true}, "c": "é"}"#
    let value = MessagePackValue(try JSONReader.value(Array(json.utf8)))
    #expect(
      value
        == .map([
          .init("a", .map([.init("", .bool(true)), .init("x", .null)])),
          .init(
            "b",
            .array([
              .int(1), .int(1), .int(1000), .double(0.5), .int(1_700_000_000_123_456_789),
            ])), .init("c", .string("é")),
        ]))
  }

  @Test func `values are found by key and index`() throws {
    let value = MessagePackValue.map([.init("list", .array([.string("x"), .int(-1)]))])
    #expect(value["list"]?[0]?.string == "x")
    #expect(value["list"]?[1]?.int == -1)
    #expect(value["list"]?[1]?.uint == nil)
    #expect(value["list"]?[2] == nil)
    #expect(value["none"] == nil)
  }
}
