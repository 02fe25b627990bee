import DrawnMaps
import Foundation
import RoadAhead
import Route
import Testing

/// What estimated places may end, and what not.
@Suite struct EstimateTests {
  private func drive() throws -> Drive {
    Drive(try WarningTests.road("abcdefghijk", nodes: ["h": "highway=traffic_signals"]))
  }

  @Test func `what only an estimate went past lies ahead again, EV-4, TU-4`() throws {
    var drive = try drive()
    try drive.go("ak", upToM: 300)
    try drive.go("ak", fromM: 320, upToM: 860, isEstimated: true)
    #expect(drive.words == ["traffic_signals ahead 500", "traffic_signals passed"])
    try drive.go("ak", fromM: 400, upToM: 900)
    #expect(
      drive.words.suffix(2) == ["traffic_signals ahead 300", "traffic_signals passed"])
    #expect(drive.words.count == 4)
  }

  @Test(arguments: [660.0, 700, 800])
  func `a place near the last estimate confirms it, EV-4, TU-4`(fromM: Double) throws {
    var drive = try drive()
    try drive.go("ak", upToM: 300)
    try drive.go("ak", fromM: 320, upToM: fromM + 20, isEstimated: true)
    try drive.go("ak", fromM: fromM, upToM: 960)
    #expect(drive.words == ["traffic_signals ahead 500", "traffic_signals passed"])
  }

  @Test func `a zone that only an estimate left is entered again, EV-4, TU-4`() throws {
    let map = try DrawnMap(
      "a---------b---c---d",
      ways: [
        "ab": "highway=tertiary name=A", "bc": "highway=tertiary name=A tunnel=yes",
        "cd": "highway=tertiary name=A",
      ])
    var drive = Drive(map, kinds: [.tunnel])
    try drive.go("abcd", upToM: 1000)
    try drive.go("abcd", fromM: 1020, upToM: 1600, isEstimated: true)
    try drive.go("abcd", fromM: 1200)
    #expect(
      drive.words.map { $0.split(separator: " ")[1] } == [
        "ahead", "reached", "passed", "reached", "passed",
      ])
  }

  @Test func `what is estimated travels with the rest, EV-4, TU-4, BUS-6`() throws {
    var drive = try drive()
    try drive.go("ak", upToM: 300)
    try drive.go("ak", fromM: 320, upToM: 860, isEstimated: true)
    var other = try self.drive()
    other.watch = try JSONCoding.decode(try JSONCoding.encode(drive.watch))
    other.second = drive.second
    #expect(other.watch == drive.watch)
    try other.go("ak", fromM: 400, upToM: 900)
    #expect(other.words == ["traffic_signals ahead 300", "traffic_signals passed"])
  }
}
