import Foundation
import Foundations
import Testing

@testable import Stage

/// States that are handed over: any `Codable` value comes back as it was, and damage is an error.
@Suite struct StateCodingTests {
  private enum Kind: Codable, Equatable {
    case plain
    case placed(x: Double, label: String?)
    case counted(Int)
  }

  private struct Empty: Codable, Equatable {}

  private struct Everything: Codable, Equatable {
    var isSet = true
    var small: Int8 = -128
    var whole = Int64.min
    var great = UInt64.max
    var number = -0.0
    var short: Float = 1.5
    var text = "Straße 中"
    var missing: String?
    var there: Int? = 7
    var kinds: [Kind] = [.plain, .placed(x: .infinity, label: nil), .counted(-3)]
    var holes: [Int?] = [1, nil, 3]
    var doubles: [Double?] = [nil, 2.5]
    var byName = ["b": [1.0, 2], "a": []]
    var byNumber = [5: "five", -1: ""]
    var set: Set<Int> = [3, 1, 2]
    var data = Data([0, 255, 128])
    var empty = Empty()
    var nested: [[Kind]] = [[], [.counted(1)]]
    var last = "end"
  }

  private func written(_ value: some Encodable) throws -> ArraySlice<UInt8> {
    try StateEncoder.encode(value)[...]
  }

  @Test func `all kinds of values come back`() throws {
    let value = Everything()
    let read = try StateDecoder.decode(Everything.self, from: written(value))
    #expect(read == value)
    #expect(read.number.sign == .minus)
  }

  @Test func `numbers keep their bits`() throws {
    let odd = Double(bitPattern: 0x7FF8_0000_0000_1234)
    let read = try StateDecoder.decode(
      [Double].self, from: written([odd, .pi, .leastNonzeroMagnitude]))
    #expect(read.map(\.bitPattern) == [odd, .pi, .leastNonzeroMagnitude].map(\.bitPattern))
  }

  @Test func `keys are found in another order, and unknown ones are passed`() throws {
    struct Old: Codable {
      var a = 1
      var gone = ["x": [1, 2, 3]]
      var b = "b"
      var c: [Int] = [4]
    }
    struct New: Codable {
      var c: [Int]
      var added: Double?
      var b: String
      var a: Int
    }
    let read = try StateDecoder.decode(New.self, from: written(Old()))
    #expect(read.c == [4] && read.added == nil && read.b == "b" && read.a == 1)
  }

  @Test func `a value of another kind is an error with its place`() throws {
    struct Text: Codable { var a = "text" }
    struct Number: Codable { var a: Int }
    let error = #expect(throws: DecodingError.self) {
      try StateDecoder.decode(Number.self, from: written(Text()))
    }
    #expect("\(try #require(error))".contains("byte 11: not a Int"))
    #expect(throws: DecodingError.self) {
      try StateDecoder.decode(UInt8.self, from: written(-1))
    }
  }

  @Test func `bytes that end too early, or go on, are an error`() throws {
    let bytes = Array(try written(Everything()))
    for count in 0..<bytes.count {
      #expect(throws: DecodingError.self) {
        try StateDecoder.decode(Everything.self, from: bytes[..<count])
      }
    }
    #expect(throws: DecodingError.self) {
      try StateDecoder.decode(Everything.self, from: (bytes + [0])[...])
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func `damaged bytes never crash`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let bytes = Array(try written(Everything()))
    for _ in 0..<500 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      _ = try? StateDecoder.decode(Everything.self, from: damaged[...])
    }
  }

  @Test func `a state of another release is refused by name`() {
    #expect {
      try HandoverCoding.decode([Int].self, from: Array("bplist00".utf8), version: 1)
    } throws: { error in
      (error as? Refusal)?.reason == "other_version"
    }
  }
}
