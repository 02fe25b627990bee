import Foundations
import Geodesy
import Regions
import Testing

struct RegionCoverTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `every place is covered by few boxes, OF-3`(seed: UInt64) {
    var dice = SplitMix64(seed: seed)
    let spreadDeg = [0.01, 0.5, 5, 80][Int(seed % 4)]
    let places = (0..<2000).map { _ in
      Coordinate(
        latitudeDeg: Double.random(in: -spreadDeg...spreadDeg, using: &dice),
        longitudeDeg: Double.random(in: -2 * spreadDeg...2 * spreadDeg, using: &dice))
    }
    let boxes = RegionCover.boxes(around: places)
    #expect(boxes.count <= RegionCover.mostBoxes)
    #expect(places.allSatisfy { place in boxes.contains { $0.contains(place) } })
  }

  @Test func `what lies far from every place is not covered, OF-3`() {
    let line = (0...2500).map { Coordinate(latitudeDeg: Double($0) / 500, longitudeDeg: 9.03) }
    let boxes = RegionCover.boxes(around: line)
    #expect(boxes.count == 1)
    #expect(boxes.allSatisfy { !$0.contains(Coordinate(latitudeDeg: 2, longitudeDeg: 9.2)) })
  }

  @Test func `no places need no boxes, OF-3`() {
    #expect(RegionCover.boxes(around: []) == [])
  }
}
