import ShieldImage
import Shields
import Testing

@Suite struct ShieldImageTests {
  private func picture(_ number: String, night: Bool = false) throws -> ShieldPicture {
    try Shield.make(
      ShieldProperties(number: number, country: "DE"), box: ShieldBox(widthPx: 96, heightPx: 64),
      night: night)
  }

  private func word(_ bytes: [UInt8], at place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  @Test func `a shield is a PNG of its own size, RN-11`() throws {
    let picture = try picture("B 3")
    let bytes = try picture.png()
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    // The header of a PNG has width and height at bytes 16 and 20.
    #expect(word(bytes, at: 16) == picture.widthPx)
    #expect(word(bytes, at: 20) == picture.heightPx)
  }

  @Test func `equal shields are equal pictures, other numbers and nights are others, RN-11`() throws
  {
    #expect(try picture("B 3").png() == picture("B 3").png())
    #expect(try picture("B 3").png() != picture("B 4").png())
    #expect(try picture("A 5").png() != picture("A 5", night: true).png())
  }
}
