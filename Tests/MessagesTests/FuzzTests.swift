import Foundations
import Messages
import Testing

@Suite struct `Garbage` {
  /// Decodes; whatever happens must be a value that can be written, or an error with its place.
  private func probe(_ type: any StructMessage.Type, _ bytes: [UInt8]) {
    do throws(DecodeError) {
      let value = try type.init(decoding: bytes)
      let again = value.encoded()
      #expect((try? type.init(decoding: again))?.encoded() == again)
    } catch {
      #expect((0...bytes.count).contains(error.byteOffset))
      #expect(error.message.contains("byte \(error.byteOffset)"))
    }
  }

  @Test(arguments: Examples.all)
  func `a message cut anywhere is refused`(message: GoldenMessage) {
    let step = max(1, message.bytes.count / 200)
    for length in stride(from: 0, to: message.bytes.count, by: step) {
      #expect(throws: DecodeError.self, "cut at \(length)") {
        try message.type.init(decoding: Array(message.bytes[..<length]))
      }
    }
  }

  @Test(arguments: Examples.all)
  func `mutated examples never crash`(message: GoldenMessage) {
    var random = SplitMix64(seed: 1)
    for _ in 0..<300 {
      var bytes = message.bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 2 where bytes.count > 1: bytes.remove(at: place)
        default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      }
      probe(message.type, bytes)
    }
  }

  @Test(arguments: 0..<8)
  func `random bytes never crash`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<500 {
      let count = Int.random(in: 0..<200, using: &random)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      // Half of them begin as maps do, so that more than the first byte is tried.
      if count > 0, Bool.random(using: &random) { bytes[0] = 0x80 | (bytes[0] & 0x0f) }
      let message = Examples.all[Int.random(in: 0..<Examples.all.count, using: &random)]
      probe(message.type, bytes)
      if let value = try? MessagePackValue(decoding: bytes) {
        #expect((try? MessagePackValue(decoding: value.encoded()))?.json() == value.json())
      }
    }
  }
}
