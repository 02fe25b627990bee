import Testing

@testable import Tiles

@Suite struct TileLineTests {
  func line(_ points: (Double, Double)...) -> [TilePoint] {
    points.map { TilePoint(x: $0.0, y: $0.1) }
  }

  @Test func `points within the tolerance are left out, corners stay`() {
    let bent = line((0, 0), (10, 0.5), (20, 0), (20, 30))
    #expect(TileLine.simplified(bent, tolerance: 1) == line((0, 0), (20, 0), (20, 30)))
    #expect(TileLine.simplified(bent, tolerance: 0.1) == bent)
    #expect(TileLine.simplified(bent, tolerance: 0) == bent)
  }

  @Test func `a ring keeps its shape`() {
    let ring = line((0, 0), (10, 0), (10, 10), (0, 10), (0, 0))
    #expect(TileLine.simplified(ring, tolerance: 2).count == 5)
  }

  @Test func `no point of the line lies farther off than the tolerance`() {
    var state: UInt64 = 7
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 24)
    }
    for _ in 0..<50 {
      let points = (0..<60).map { TilePoint(x: Double($0) * 5, y: next() * 20) }
      let simple = TileLine.simplified(points, tolerance: 6)
      for point in points {
        let nearest = zip(simple, simple.dropFirst()).map { distance(point, $0, $1) }.min() ?? 0
        #expect(nearest <= 6.000_001)
      }
    }
  }

  @Test func `a line that leaves and comes back is two parts`() {
    let parts = TileLine.clipped(line((5, 5), (5, 20), (8, 20), (8, 5)), from: 0, to: 10)
    #expect(parts == [line((5, 5), (5, 10)), line((8, 10), (8, 5))])
  }

  @Test func `a line through the square is cut at both sides`() {
    let parts = TileLine.clipped(line((-10, 5), (20, 5)), from: 0, to: 10)
    #expect(parts == [line((0, 5), (10, 5))])
    #expect(TileLine.clipped(line((-10, 15), (20, 15)), from: 0, to: 10).isEmpty)
    #expect(TileLine.clipped(line((1, 1), (2, 2), (3, 1)), from: 0, to: 10).count == 1)
  }

  private func distance(_ point: TilePoint, _ a: TilePoint, _ b: TilePoint) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let along = min(max(((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy), 0), 1)
    let (ex, ey) = (a.x + along * dx - point.x, a.y + along * dy - point.y)
    return (ex * ex + ey * ey).squareRoot()
  }
}
