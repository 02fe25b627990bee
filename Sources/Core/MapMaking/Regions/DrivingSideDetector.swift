import RoadGraph

/// Determines the side of driving if the country is not known, by the direction of roundabouts.
///
/// Extracts often cut through the boundary of their country, and then there is no other source.
struct DrivingSideDetector {
  /// A cell of one degree by one degree.
  private struct Cell: Hashable {
    var latitude: Int
    var longitude: Int
  }

  /// The numbers of clockwise and counter-clockwise rings.
  private struct Votes {
    var left = 0
    var right = 0
  }

  private var votes: [Cell: Votes] = [:]

  /// Fewer rings than this are not sufficient evidence, nor is a smaller majority.
  private static let fewestRings = 3
  private static let leastShare = 0.8

  /// Evaluates the closed ways of roundabouts; linear in their nodes.
  init(_ maker: borrowing GraphMaker) {
    let roads = maker.attributes.records
    for way in maker.wayIDs.indices {
      let attribute = maker.forward[way] == .max ? maker.backward[way] : maker.forward[way]
      guard roads[Int(attribute)].flags.contains(.roundabout) else { continue }
      let nodes = maker.references[maker.firstReference[way]..<maker.firstReference[way + 1]]
      guard nodes.count > 3, nodes.first == nodes.last else { continue }
      let places = nodes.compactMap { maker.nodes.index(of: $0) }
        .filter { maker.nodes.isKnown($0) }
        .map { (Int64(maker.nodes.latitude[$0]), Int64(maker.nodes.longitude[$0])) }
      guard places.count == nodes.count, let first = places.first else { continue }
      // Twice the area to the left of the way: negative if it runs clockwise.
      let area = zip(places, places.dropFirst()).reduce(Int64(0)) { sum, step in
        let ((lat, lon), (nextLat, nextLon)) = step
        return sum &+ (lon - first.1) &* (nextLat - first.0)
          &- (nextLon - first.1) &* (lat - first.0)
      }
      let cell = Self.cell(first.0, first.1)
      if area < 0 { votes[cell, default: Votes()].left += 1 }
      if area > 0 { votes[cell, default: Votes()].right += 1 }
    }
  }

  private static func cell(_ latitudeE7: Int64, _ longitudeE7: Int64) -> Cell {
    Cell(
      latitude: Int((Double(latitudeE7) / 1e7).rounded(.down)),
      longitude: Int((Double(longitudeE7) / 1e7).rounded(.down)))
  }

  var isEmpty: Bool { votes.isEmpty }

  /// Whether traffic drives on the left at a place, by the rings of its cell and the adjacent ones;
  /// nil if undecided.
  func drivesOnLeft(latitudeE7: Int32, longitudeE7: Int32) -> Bool? {
    let middle = Self.cell(Int64(latitudeE7), Int64(longitudeE7))
    var sum = Votes()
    for north in -1...1 {
      for east in -1...1 {
        let cell = Cell(latitude: middle.latitude + north, longitude: middle.longitude + east)
        sum.left += votes[cell]?.left ?? 0
        sum.right += votes[cell]?.right ?? 0
      }
    }
    let all = sum.left + sum.right
    guard all >= Self.fewestRings else { return nil }
    if Double(sum.left) >= Self.leastShare * Double(all) { return true }
    return Double(sum.right) >= Self.leastShare * Double(all) ? false : nil
  }
}
