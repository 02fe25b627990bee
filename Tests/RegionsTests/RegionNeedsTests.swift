import Geodesy
import Regions
import Testing

struct RegionNeedsTests {
  /// Regions of one degree side by side along the equator: A from 0 to 1 degrees east, B from 1 to 2, and so on.
  private static let catalogue = RegionCatalogue(
    regions: "ABCDE".enumerated().map { number, name in
      Region(
        name: "\(name)", file: "\(name).navmap", bytes: 1,
        sha256: String(repeating: "0", count: 64),
        dataTime: nil,
        cover: [
          BoundingBox(
            southDeg: 0, westDeg: Double(number), northDeg: 1, eastDeg: Double(number + 1))
        ])
    })

  private static func place(_ eastDeg: Double) -> Coordinate {
    Coordinate(latitudeDeg: 0.5, longitudeDeg: eastDeg)
  }

  private func names(_ needs: RegionNeeds, installed: Set<String> = []) -> [String] {
    needs.missing(in: Self.catalogue, installed: installed).map(\.name)
  }

  @Test func `where the vehicle is comes first, then what is around it, then its route, OF-3`() {
    let needs = RegionNeeds(
      vehicle: Self.place(1.95), aroundM: 20_000, route: [Self.place(3.5), Self.place(0.5)])
    #expect(names(needs) == ["B", "C", "D", "A"])
  }

  @Test func `requested regions come before all others, OF-3`() {
    let needs = RegionNeeds(vehicle: Self.place(0.5), aroundM: 0, requested: ["E", "unknown"])
    #expect(names(needs) == ["E", "A"])
  }

  @Test func `what is installed wins, OF-3`() {
    let needs = RegionNeeds(
      vehicle: Self.place(1.95), aroundM: 20_000, route: [Self.place(3.5)], requested: ["B"])
    #expect(names(needs, installed: ["B", "D"]) == ["C"])
  }

  @Test func `nothing is needed without a place, OF-3`() {
    #expect(names(RegionNeeds(aroundM: 1_000_000)) == [])
  }
}
