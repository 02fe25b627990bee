import Foundations
import Geodesy
import MapMaking
import RoadGraph

/// A map of random streets around one place, made as real maps are.
enum RandomMap {
  static let middle = Coordinate(latitudeDeg: 47, longitudeDeg: -30)

  static func graph(seed: UInt64, ways: Int = 60) throws -> RoadGraph {
    var random = SplitMix64(seed: seed)
    var data = OSMData()
    for id in 1...150 {
      let place = middle.moved(
        bearingDeg: .random(in: 0..<360, using: &random),
        distanceM: .random(in: 0...2000, using: &random))
      data.nodes.append(
        OSMNode(
          id: Int64(id), latitudeE7: Int32((place.latitudeDeg * 1e7).rounded()),
          longitudeE7: Int32((place.longitudeDeg * 1e7).rounded())))
    }
    for id in 1...ways {
      let nodes = (0..<Int.random(in: 2...6, using: &random)).map { _ in
        Int64.random(in: 1...150, using: &random)
      }
      var tags: OSMTags = ["highway": "residential", "name": "Street \(id % 7)"]
      if id.isMultiple(of: 4) { tags["oneway"] = "yes" }
      data.ways.append(OSMWay(id: Int64(id), nodes: nodes, tags: tags))
    }
    return try GraphMaker.make(data, options: MapOptions()).graph()
  }
}
