/// Reads Mapbox Vector Tile 2.1 as little as the tests need, written apart from the writer.
struct TileReader {
  struct Feature {
    var tags: [String: Value] = [:]
    var type = 0
    /// Points of each line, in tile units.
    var lines: [[SIMD2<Int>]] = []
  }

  enum Value: Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case text(String)
    case integer(Int)
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
  }

  struct Layer {
    var name = ""
    var version = 0
    var extent = 0
    var features: [Feature] = []
  }

  struct Broken: Error {}

  static func layers(_ bytes: [UInt8]) throws -> [String: Layer] {
    var layers: [String: Layer] = [:]
    for field in try fields(bytes[...]) where field.number == 3 {
      let layer = try layer(field.bytes)
      layers[layer.name] = layer
    }
    return layers
  }

  private struct Field {
    var number: Int
    var value = 0
    var bytes: ArraySlice<UInt8> = []
  }

  private static func layer(_ bytes: ArraySlice<UInt8>) throws -> Layer {
    var layer = Layer()
    var keys: [String] = []
    var values: [Value] = []
    let all = try fields(bytes)
    for field in all {
      switch field.number {
      case 1: layer.name = String(decoding: field.bytes, as: UTF8.self)
      case 3: keys.append(String(decoding: field.bytes, as: UTF8.self))
      case 4: values.append(try value(field.bytes))
      case 5: layer.extent = field.value
      case 15: layer.version = field.value
      default: break
      }
    }
    for field in all where field.number == 2 {
      layer.features.append(try feature(field.bytes, keys, values))
    }
    return layer
  }

  private static func value(_ bytes: ArraySlice<UInt8>) throws -> Value {
    guard let field = try fields(bytes).first else { throw Broken() }
    switch field.number {
    case 1: return .text(String(decoding: field.bytes, as: UTF8.self))
    case 6: return .integer(zigzag(field.value))
    default: throw Broken()
    }
  }

  private static func feature(
    _ bytes: ArraySlice<UInt8>, _ keys: [String], _ values: [Value]
  ) throws -> Feature {
    var feature = Feature()
    for field in try fields(bytes) {
      switch field.number {
      case 2:
        let tags = try varints(field.bytes)
        for index in stride(from: 0, to: tags.count, by: 2) {
          feature.tags[keys[tags[index]]] = values[tags[index + 1]]
        }
      case 3: feature.type = field.value
      case 4: feature.lines = try geometry(varints(field.bytes))
      default: break
      }
    }
    return feature
  }

  private static func geometry(_ words: [Int]) throws -> [[SIMD2<Int>]] {
    var lines: [[SIMD2<Int>]] = []
    var pen = SIMD2(0, 0)
    var index = 0
    while index < words.count {
      let (command, count) = (words[index] & 7, words[index] >> 3)
      index += 1
      // The end of a ring has no numbers.
      if command == 7 { continue }
      for _ in 0..<count {
        guard index + 1 < words.count else { throw Broken() }
        pen &+= SIMD2(zigzag(words[index]), zigzag(words[index + 1]))
        index += 2
        if command == 1 { lines.append([pen]) } else { lines[lines.count - 1].append(pen) }
      }
    }
    return lines
  }

  private static func zigzag(_ value: Int) -> Int { (value >> 1) ^ -(value & 1) }

  private static func varints(_ bytes: ArraySlice<UInt8>) throws -> [Int] {
    var rest = bytes
    var values: [Int] = []
    while !rest.isEmpty { values.append(try varint(&rest)) }
    return values
  }

  private static func varint(_ bytes: inout ArraySlice<UInt8>) throws -> Int {
    var value = 0
    var shift = 0
    while let byte = bytes.popFirst() {
      value |= Int(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw Broken()
  }

  private static func fields(_ bytes: ArraySlice<UInt8>) throws -> [Field] {
    var rest = bytes
    var fields: [Field] = []
    while !rest.isEmpty {
      let key = try varint(&rest)
      var field = Field(number: key >> 3)
      switch key & 7 {
      case 0: field.value = try varint(&rest)
      case 2:
        let count = try varint(&rest)
        guard count <= rest.count else { throw Broken() }
        field.bytes = rest.prefix(count)
        rest = rest.dropFirst(count)
      default: throw Broken()
      }
      fields.append(field)
    }
    return fields
  }
}
