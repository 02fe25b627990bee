import RoadGraph

/// Finds streets that lead nowhere else, by repeatedly removing the ends of the network.
enum DeadEnds {
  /// For each edge whether it is part of a dead end for cars; linear.
  ///
  /// Major roads are left out: where they end, the map ends.
  static func find(_ assembly: GraphAssembly, isCar: [Bool]) -> [Bool] {
    let count = assembly.nodes.count
    var degree = [UInt32](repeating: 0, count: count)
    // The exclusive-or of a node's pieces equals the last piece once its degree has dropped to one.
    var pieces = [UInt32](repeating: 0, count: count)
    func isUsed(_ piece: Int) -> Bool {
      [assembly.along[piece], assembly.against[piece]].contains {
        $0 != .max && isCar[Int($0)]
      }
    }
    for (k, piece) in assembly.pieces.enumerated() where isUsed(k) {
      for end in [assembly.node(piece.from), assembly.node(piece.to)] {
        degree[end] += 1
        pieces[end] ^= UInt32(k)
      }
    }
    var isDead = [Bool](repeating: false, count: assembly.pieces.count)
    var ends = degree.indices.filter { degree[$0] == 1 }
    while let end = ends.popLast() {
      guard degree[end] == 1 else { continue }
      let k = Int(pieces[end])
      let piece = assembly.pieces[k]
      guard isMinor(k, assembly) else { continue }
      isDead[k] = true
      let (a, b) = (assembly.node(piece.from), assembly.node(piece.to))
      for node in [a, b] {
        degree[node] -= 1
        pieces[node] ^= UInt32(k)
      }
      let other = a == end ? b : a
      if degree[other] == 1 { ends.append(other) }
    }
    return assembly.code.map { isDead[Int($0 >> 1)] }
  }

  private static func isMinor(_ piece: Int, _ assembly: GraphAssembly) -> Bool {
    let edge = assembly.along[piece] == .max ? assembly.against[piece] : assembly.along[piece]
    let road = assembly.maker.attributes.records[Int(assembly.attribute[Int(edge)])]
    return road.roadClass >= .unclassified && road.roadClass <= .service
  }
}
