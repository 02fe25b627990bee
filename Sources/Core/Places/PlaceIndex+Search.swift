import Geodesy
import RoadGraph

extension PlaceIndex {
  /// Roads with the same name farther apart than this are different roads.
  private static let sameRoadM = 1_500.0

  /// Places and roads with a name.
  func named(_ text: String, _ near: Coordinate?) -> [Hit] {
    let asked = FoldedText.words(text)
    var hits: [Hit] = []
    for name in names {
      guard let grade = Self.grade(asked, name.words) else { continue }
      let label = graph.text(name.text)
      if name.isRoad {
        for edge in apart(members[name.members].map { EdgeID(Int($0)) }, near) {
          let place = graph.coordinate(
            RoadPosition(edge: edge, offsetM: graph.lengthM(edge) / 2))
          hits.append(
            hit(label, .road, graph.attributes(edge).roadClass.word, place, near, grade))
        }
      } else {
        for member in members[name.members] {
          let index = Int(member)
          let place = Coordinate(
            latitudeDeg: Double(graph.columns.placeLatitude[index]) / 1e7,
            longitudeDeg: Double(graph.columns.placeLongitude[index]) / 1e7)
          let kind = graph.text(graph.columns.placeKind[index])
          hits.append(hit(label, .place, kind, place, near, grade))
        }
      }
    }
    return hits
  }

  /// Where two roads meet.
  func crossings(_ first: String, _ second: String, _ near: Coordinate?) -> [Hit] {
    let (a, b) = (nodes(first), nodes(second))
    var hits: [Hit] = []
    for (node, one) in a.sorted(by: { $0.key < $1.key }) {
      guard let other = b[node], one.text != other.text else { continue }
      hits.append(
        hit(
          "\(graph.text(one.text)) / \(graph.text(other.text))", .crossing, "",
          graph.coordinate(node), near, max(one.grade, other.grade)))
    }
    // Dual carriageways meet a road at several nodes, which form one crossing.
    var kept: [Hit] = []
    for hit in hits.sorted(by: Self.isBetter) {
      let isKnown = kept.contains {
        $0.place.name == hit.place.name
          && $0.place.coordinate.distanceM(to: hit.place.coordinate) < 60
      }
      if !isKnown { kept.append(hit) }
    }
    return kept
  }

  /// The nodes on roads with a name, with that name and the quality of the match.
  private func nodes(_ text: String) -> [NodeID: (text: TextID, grade: Int)] {
    let asked = FoldedText.words(text)
    var nodes: [NodeID: (text: TextID, grade: Int)] = [:]
    for name in names where name.isRoad {
      guard let grade = Self.grade(asked, name.words) else { continue }
      for member in members[name.members] {
        let edge = EdgeID(Int(member))
        for node in [graph.tail(edge), graph.head(edge)]
        where grade < nodes[node]?.grade ?? .max {
          nodes[node] = (name.text, grade)
        }
      }
    }
    return nodes
  }

  /// One edge of each separate road: the nearest, or the first, of edges that are connected or lie
  /// together.
  private func apart(_ edges: [EdgeID], _ near: Coordinate?) -> [EdgeID] {
    let places = edges.map { graph.coordinate(graph.tail($0)) }
    var order = Array(edges.indices)
    if let near {
      let distances = places.map { $0.distanceM(to: near) }
      order.sort { (distances[$0], $0) < (distances[$1], $1) }
    }
    let roads = connected(edges)
    var chosen: [Int] = []
    for index in order {
      let isKnown = chosen.contains {
        roads[$0] == roads[index] || places[$0].distanceM(to: places[index]) < Self.sameRoadM
      }
      if !isKnown { chosen.append(index) }
      // A motorway through a whole country should not fill the result with a hundred entries.
      if chosen.count == 16 { break }
    }
    return chosen.map { edges[$0] }
  }

  /// For each edge a number that edges share which are connected by others of them.
  ///
  /// Nearly linear: union by path halving, R. E. Tarjan and J. van Leeuwen (1984), DOI
  /// 10.1145/62.2160.
  private func connected(_ edges: [EdgeID]) -> [Int] {
    var parents = Array(edges.indices)
    func root(_ start: Int) -> Int {
      var index = start
      while parents[index] != index {
        parents[index] = parents[parents[index]]
        index = parents[index]
      }
      return index
    }
    var known: [NodeID: Int] = [:]
    for (index, edge) in edges.enumerated() {
      for node in [graph.tail(edge), graph.head(edge)] {
        if let other = known[node] {
          parents[root(index)] = root(other)
        } else {
          known[node] = index
        }
      }
    }
    return edges.indices.map { root($0) }
  }

  private func hit(
    _ name: String, _ kind: FoundPlace.Kind, _ detail: String, _ place: Coordinate,
    _ near: Coordinate?, _ grade: Int
  ) -> Hit {
    Hit(
      place: FoundPlace(
        name: name, kind: kind, detail: detail, coordinate: place,
        distanceM: near.map { $0.distanceM(to: place) }), grade: grade)
  }
}
