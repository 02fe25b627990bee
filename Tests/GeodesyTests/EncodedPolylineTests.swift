import Foundations
import Geodesy
import Testing

@Suite struct EncodedPolylineTests {
  @Test func `the format's own example`() throws {
    let places = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)].map {
      Coordinate(latitudeDeg: $0.0, longitudeDeg: $0.1)
    }
    let text = "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
    #expect(EncodedPolyline.encode(places, decimals: 5) == text)
    #expect(try EncodedPolyline.decode(text, decimals: 5) == places)
  }

  @Test func `no places are no text`() throws {
    #expect(EncodedPolyline.encode([]).isEmpty)
    #expect(try EncodedPolyline.decode("").isEmpty)
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `what is encoded comes back within half of the last digit`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let places = (0..<50).map { _ in
      Coordinate(
        latitudeDeg: .random(in: -90...90, using: &random),
        longitudeDeg: .random(in: -180...180, using: &random))
    }
    let back = try EncodedPolyline.decode(EncodedPolyline.encode(places))
    #expect(back.count == places.count)
    for (a, b) in zip(places, back) {
      #expect(abs(a.latitudeDeg - b.latitudeDeg) <= 0.500_001e-6)
      #expect(abs(a.longitudeDeg - b.longitudeDeg) <= 0.500_001e-6)
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func `a text that is cut off gives a fault or fewer places, never others`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let places = (0..<8).map { _ in
      Coordinate(
        latitudeDeg: .random(in: -90...90, using: &random),
        longitudeDeg: .random(in: -180...180, using: &random))
    }
    let text = EncodedPolyline.encode(places)
    let whole = (try? EncodedPolyline.decode(text)) ?? []
    #expect(whole.count == 8)
    for length in 0..<text.utf8.count {
      do {
        let part = try EncodedPolyline.decode(String(text.prefix(length)))
        #expect(part.count < whole.count)
        #expect(part.elementsEqual(whole.prefix(part.count)))
      } catch {
        #expect(error == .breaksOff(byte: length))
      }
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `garbage gives a fault within the text, or places on the globe`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = (0..<Int.random(in: 1...60, using: &random)).map { _ in
      UInt8.random(in: seed.isMultiple(of: 2) ? 60...127 : 0...255, using: &random)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      #expect(try EncodedPolyline.decode(text).allSatisfy(\.isValid))
    } catch {
      switch error {
      case .breaksOff(let byte), .notPolyline(let byte), .leavesGlobe(let byte):
        #expect((0...text.utf8.count).contains(byte))
      }
    }
  }

  @Test func `each fault names its byte`() {
    #expect(throws: PolylineError.breaksOff(byte: 1)) { try EncodedPolyline.decode("_") }
    #expect(throws: PolylineError.notPolyline(byte: 2)) { try EncodedPolyline.decode("?? ?") }
    #expect(throws: PolylineError.breaksOff(byte: 3)) { try EncodedPolyline.decode("???") }
    #expect(throws: PolylineError.notPolyline(byte: 12)) {
      try EncodedPolyline.decode(String(repeating: "~", count: 20))
    }
    let fine = EncodedPolyline.encode([Coordinate(latitudeDeg: 51, longitudeDeg: 7)], decimals: 7)
    #expect(throws: PolylineError.leavesGlobe(byte: 0)) { try EncodedPolyline.decode(fine) }
  }
}
