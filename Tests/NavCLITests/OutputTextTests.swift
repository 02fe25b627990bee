import Foundation
import Foundations
import Testing

@testable import NavCLI

@Suite struct OutputTextTests {
  private func written(_ body: (inout OutputText) -> Void) -> String {
    var text = OutputText(capacity: 1)
    body(&text)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  @Test(arguments: UInt64(1)...8)
  func `a number with decimals is the nearest one`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let decimals = Int.random(in: 0...9, using: &random)
      let value =
        Double.random(in: -1...1, using: &random)
        * pow(10, Double.random(in: -9...8, using: &random))
      let text = written { $0.fixed(value, decimals) }
      let read = try #require(Double(text))
      #expect(
        abs(read - value) <= 0.5 * pow(10, -Double(decimals)) + 4e-16 * abs(value),
        "\(value) \(text)")
      #expect((text.split(separator: ".").dropFirst().first?.count ?? 0) == decimals)
      #expect(text != "-0" && !text.hasPrefix("-0.000000000"))
    }
  }

  @Test func `special numbers have a fixed form`() {
    #expect(written { $0.fixed(.nan, 2) } == "0")
    #expect(written { $0.fixed(-0.001, 2) } == "0.00")
    #expect(written { $0.json(Double.infinity, 3) } == "null")
    #expect(written { $0.json(nil as Double?, 3) } == "null")
    #expect(written { $0.integer(Int64.min) } == "-9223372036854775808")
    #expect(written { $0.hundredths(-1205) } == "-12.05")
    #expect(written { $0.seconds(1_500_000_000) } == "1.500")
    #expect(written { $0.seconds(-1_000_001_000) } == "-1.000001")
  }

  @Test func `text in quotes is read again by a JSON reader`() throws {
    let all = String(String.UnicodeScalarView((0..<0x180).compactMap(UnicodeScalar.init)))
    for text in ["", "a\"b\\c", "\u{0}\u{1f}\n\t\r", "日本 🚲", all] {
      let bytes = Data(written { $0.json(text) }.utf8)
      let read = try JSONDecoder().decode(String.self, from: bytes)
      #expect(read == text)
    }
  }
}
