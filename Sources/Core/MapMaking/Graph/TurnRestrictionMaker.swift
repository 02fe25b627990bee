import Geodesy
import RoadGraph

/// Turns restrictions and barriers into sequences of edges that must not be driven in order.
struct TurnRestrictionMaker {
  let assembly: GraphAssembly
  /// Pieces of each way, with the shape of a graph's columns.
  private var firstPiece: [Int] = []
  private var pieceOfWay: [UInt32] = []
  private var wayPlace: [Int64: Int] = [:]
  /// Edges of the ways that turn restrictions of existing maps refer to.
  private var carriedEdges: [Int64: [UInt32]] = [:]

  /// Turn restrictions in the form of the columns.
  struct Restrictions {
    var first: [UInt32] = [0]
    var edges: [EdgeID] = []
    var modes: [TravelModes] = []
    /// When each turn restriction applies; empty for always.
    var when: [String] = []

    mutating func append(_ sequence: [UInt32], _ modes: TravelModes, when: String = "") {
      edges += sequence.map { EdgeID(rawValue: $0) }
      first.append(UInt32(edges.count))
      self.modes.append(modes)
      self.when.append(when)
    }
  }

  private struct TimedKey: Hashable {
    var edges: [UInt32]
    var when: String
  }

  init(_ assembly: GraphAssembly) {
    self.assembly = assembly
    let wanted = Self.wantedWays(assembly.maker.restrictions)
    for (place, id) in assembly.maker.wayIDs.enumerated() where wanted.contains(id) {
      wayPlace[id] = place
    }
    var first = [Int](repeating: 0, count: assembly.maker.wayIDs.count + 1)
    for piece in assembly.pieces { first[Int(piece.way) + 1] += 1 }
    for k in first.indices.dropFirst() { first[k] += first[k - 1] }
    firstPiece = first
    pieceOfWay = Array(repeating: 0, count: assembly.pieces.count)
    for (k, piece) in assembly.pieces.enumerated() {
      pieceOfWay[first[Int(piece.way)]] = UInt32(k)
      first[Int(piece.way)] += 1
    }
    let carriedWays = Set(assembly.maker.carried.flatMap { $0.segments.map(\.way) })
    guard !carriedWays.isEmpty else { return }
    for (edge, code) in assembly.code.enumerated() {
      let way = assembly.maker.wayIDs[Int(assembly.pieces[Int(code >> 1)].way)]
      if carriedWays.contains(way) { carriedEdges[way, default: []].append(UInt32(edge)) }
    }
  }

  private static func wantedWays(_ restrictions: [TurnRestriction]) -> Set<Int64> {
    var ids: Set<Int64> = []
    for restriction in restrictions {
      ids.formUnion(restriction.from)
      ids.formUnion(restriction.to)
      if case .ways(let ways) = restriction.via { ids.formUnion(ways) }
    }
    return ids
  }

  /// All turn restrictions, merged by equal edges and sorted by their edges: unconditional ones,
  /// and the others.
  func make(_ report: inout MapMakingReport) -> (always: Restrictions, timed: Restrictions) {
    var found: [[UInt32]: TravelModes] = [:]
    var foundTimed: [TimedKey: TravelModes] = [:]
    for restriction in assembly.maker.restrictions {
      let all = sequences(of: restriction)
      let sequences = all.filter { $0.count <= RoadColumns.mostRestrictionEdges }
      if sequences.isEmpty {
        report.drop(all.isEmpty ? reason(against: restriction) : .long)
      } else {
        report.restrictionsKept += 1
      }
      for sequence in sequences {
        if let when = restriction.when {
          foundTimed[TimedKey(edges: sequence, when: when), default: []]
            .formUnion(restriction.modes)
        } else {
          found[sequence, default: []].formUnion(restriction.modes)
        }
      }
    }
    for restriction in assembly.maker.carried {
      guard let sequence = carriedSequence(restriction) else {
        report.drop(.absent)
        continue
      }
      report.restrictionsKept += 1
      if let when = restriction.when {
        foundTimed[TimedKey(edges: sequence, when: when), default: []].formUnion(restriction.modes)
      } else {
        found[sequence, default: []].formUnion(restriction.modes)
      }
    }
    addBarriers(&found, &foundTimed, &report)
    var always = Restrictions()
    for (sequence, modes) in found.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      always.append(sequence, modes)
    }
    var timed = Restrictions()
    let ordered = foundTimed.sorted { a, b in
      a.key.edges == b.key.edges
        ? a.key.when < b.key.when : a.key.edges.lexicographicallyPrecedes(b.key.edges)
    }
    for (key, modes) in ordered { timed.append(key.edges, modes, when: key.when) }
    return (always, timed)
  }

  // MARK: Turn restrictions of made maps

  /// The edges of an existing map's turn restriction; nil if one of them is not in this map.
  private func carriedSequence(_ restriction: ImportedRestriction) -> [UInt32]? {
    var sequence: [UInt32] = []
    for (place, segment) in restriction.segments.enumerated() {
      guard let edges = chain(of: segment) else { return nil }
      // Of a first edge that was cut, the last part leads to the turn; of the last edge, the first
      // part.
      if place == 0 {
        sequence += edges.suffix(1)
      } else if place == restriction.segments.count - 1 {
        sequence += edges.prefix(1)
      } else {
        sequence += edges
      }
    }
    return (2...RoadColumns.mostRestrictionEdges).contains(sequence.count) ? sequence : nil
  }

  /// The edges of one way from a segment's first node to its last: one, or several if it was cut.
  private func chain(of segment: SegmentReference) -> [UInt32]? {
    let own = carriedEdges[segment.way] ?? []
    func id(_ node: UInt32) -> Int64 {
      assembly.maker.nodes.ids[Int(assembly.nodes[Int(node)])]
    }
    if let whole = own.first(where: {
      id(assembly.tail[Int($0)]) == segment.from && id(assembly.head[Int($0)]) == segment.to
    }) {
      return [whole]
    }
    for start in own where id(assembly.tail[Int(start)]) == segment.from {
      var path = [start]
      while let last = path.last, path.count < 64 {
        let node = assembly.head[Int(last)]
        if id(node) == segment.to { return path }
        let next = own.first { assembly.tail[Int($0)] == node && $0 != twin(last) }
        guard let next, !path.contains(next) else { break }
        path.append(next)
      }
    }
    return nil
  }

  // MARK: Edges of ways

  /// Both edges of each piece of a way.
  func edges(ofWay id: Int64) -> [UInt32] {
    guard let place = wayPlace[id] else { return [] }
    return pieceOfWay[firstPiece[place]..<firstPiece[place + 1]].flatMap { piece in
      [assembly.along[Int(piece)], assembly.against[Int(piece)]].filter { $0 != .max }
    }
  }

  func leaving(_ node: UInt32) -> Range<UInt32> {
    assembly.firstOut[Int(node)]..<assembly.firstOut[Int(node) + 1]
  }

  func twin(_ edge: UInt32) -> UInt32 {
    let code = assembly.code[Int(edge)]
    return code & 1 == 0 ? assembly.against[Int(code >> 1)] : assembly.along[Int(code >> 1)]
  }

  // MARK: Barriers

  /// Forbids the paths across each barrier for the modes that it bars.
  private func addBarriers(
    _ found: inout [[UInt32]: TravelModes], _ foundTimed: inout [TimedKey: TravelModes],
    _ report: inout MapMakingReport
  ) {
    var entering: [UInt32: [UInt32]] = [:]
    var barred: [UInt32: TravelModes] = [:]
    var timed: [UInt32: [NodeBarrier.TimedClosure]] = [:]
    for (number, place) in assembly.nodes.enumerated() {
      let modes = assembly.maker.nodes.tags(Int(place))?.barred ?? []
      if !modes.isEmpty { barred[UInt32(number)] = modes }
    }
    report.barriers = barred.count
    for (place, barrier) in assembly.maker.nodes.barriers where !barrier.restrictions.isEmpty {
      let node = assembly.nodeAt[place]
      if node != .max { timed[node] = barrier.restrictions }
    }
    guard !barred.isEmpty || !timed.isEmpty else { return }
    for (edge, node) in assembly.head.enumerated() where barred[node] != nil || timed[node] != nil {
      entering[node, default: []].append(UInt32(edge))
    }
    for (node, edges) in entering {
      for edge in edges {
        for next in leaving(node) where next != twin(edge) {
          let both = usable(edge).intersection(usable(next))
          let used = both.intersection(barred[node] ?? [])
          if !used.isEmpty { found[[edge, next], default: []].formUnion(used) }
          for restriction in timed[node] ?? [] {
            let used = both.intersection(restriction.modes)
            guard !used.isEmpty else { continue }
            foundTimed[TimedKey(edges: [edge, next], when: restriction.when), default: []]
              .formUnion(used)
          }
        }
      }
    }
  }

  private func usable(_ edge: UInt32) -> TravelModes {
    let road = assembly.maker.attributes.records[Int(assembly.wayAttribute(edge))]
    return TravelMode.allCases.reduce(into: TravelModes()) { modes, mode in
      if road.access(mode).isUsable { modes.insert(TravelModes(mode)) }
    }
  }
}
