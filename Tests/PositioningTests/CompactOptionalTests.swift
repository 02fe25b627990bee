import Foundation
import Geodesy
import Positioning
import Testing

/// A number that may not be told is as an optional in all but its size.
@Suite struct CompactOptionalTests {
  private static let values: [Double?] = [
    nil, 0, -0.0, 1.5, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
  ]

  @Test(arguments: values)
  func `what is reported is reported`(value: Double?) {
    let reported = CompactOptional(wrappedValue: value)
    #expect(reported.wrappedValue == value)
    #expect(reported == CompactOptional(wrappedValue: value))
    #expect((reported == CompactOptional(wrappedValue: nil)) == (value == nil))
    #expect((reported == CompactOptional(wrappedValue: 1.5)) == (value == 1.5))
    #expect(reported.hashValue == CompactOptional(wrappedValue: value).hashValue)
    #expect(MemoryLayout.size(ofValue: reported) == 8)
  }

  @Test func `what is not a number is reported as such, so that it can be refused`() {
    for number in [Double.nan, .signalingNaN, 0 / 0.0, .infinity - .infinity, -.nan] {
      #expect(CompactOptional(wrappedValue: number).wrappedValue?.isNaN == true)
    }
    #expect(CompactOptional(wrappedValue: .nan) != CompactOptional(wrappedValue: nil))
  }

  @Test func `a fix is written and read with what it tells, and without what it does not`() throws {
    var fix = Fix(place: Coordinate(latitudeDeg: 41.1, longitudeDeg: -8.6), speedMps: 0)
    fix.accuracyM = 4.5
    let data = try JSONEncoder().encode(fix)
    #expect(try JSONDecoder().decode(Fix.self, from: data) == fix)
    let written = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(Set(written.keys) == ["place", "speedMps", "accuracyM", "priority"])
  }
}
