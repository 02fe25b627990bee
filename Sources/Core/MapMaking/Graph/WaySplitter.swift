import RoadGraph

/// A piece of a way between two nodes of the graph, in the direction of its lowest edge.
struct Piece {
  /// Places in the node table.
  var from: UInt32
  var to: UInt32
  /// Place of the way among the kept ways.
  var way: UInt32
  /// Index in `WaySplitter.run` of the points between the ends.
  var firstPoint: UInt32
  var pointCount: UInt32
  /// Whether the way runs in the other direction: from `to`, with the points in `run` from there.
  var isReversed = false

  /// The same piece described from its other end.
  var turned: Piece {
    var piece = self
    (piece.from, piece.to) = (to, from)
    piece.isReversed.toggle()
    return piece
  }

  /// Places in `WaySplitter.run` of the points from `from` to `to`.
  var points: StrideTo<Int> {
    let (first, count) = (Int(firstPoint), Int(pointCount))
    return isReversed
      ? stride(from: first + count - 1, to: first - 1, by: -1)
      : stride(from: first, to: first + count, by: 1)
  }
}

/// Cuts ways into pieces: at junctions, at ends, and at nodes with relevant tags.
struct WaySplitter {
  /// Consecutive node table places of all ways, without unknown and repeated nodes.
  private(set) var run: [UInt32] = []
  private(set) var pieces: [Piece] = []
  private(set) var missingNodes = 0
  private(set) var tooShort = 0
  private var runs: [(way: UInt32, first: Int, count: Int)] = []

  init(_ maker: borrowing GraphMaker) {
    collectRuns(maker)
    let isCut = cuts(maker)
    var start = 0
    while start < runs.count {
      var end = start + 1
      while end < runs.count, runs[end].way == runs[start].way { end += 1 }
      split(runs[start..<end], isCut: isCut)
      start = end
    }
    runs = []
    if maker.joins { dropTwice(maker.wayIDs) }
  }

  private mutating func collectRuns(_ maker: borrowing GraphMaker) {
    run.reserveCapacity(maker.references.count)
    for way in maker.wayIDs.indices {
      var first = run.count
      for k in maker.firstReference[way]..<maker.firstReference[way + 1] {
        if maker.references[k] == GraphMaker.gap {
          close(way, from: &first)
          continue
        }
        guard let node = maker.nodes.index(of: maker.references[k]), maker.nodes.isKnown(node)
        else {
          missingNodes += 1
          close(way, from: &first)
          continue
        }
        if run.count > first, run[run.count - 1] == UInt32(node) { continue }
        run.append(UInt32(node))
      }
      close(way, from: &first)
    }
  }

  /// Ends a run of known nodes; a single node is not a road.
  private mutating func close(_ way: Int, from first: inout Int) {
    let count = run.count - first
    if count > 1 {
      runs.append((UInt32(way), first, count))
    } else if count == 1 {
      run.removeLast()
      tooShort += 1
    }
    first = run.count
  }

  /// For each node whether ways are cut there.
  private func cuts(_ maker: borrowing GraphMaker) -> [Bool] {
    var uses = [UInt8](repeating: 0, count: maker.nodes.count)
    for (_, first, count) in runs {
      for k in first..<first + count {
        let node = Int(run[k])
        let step: UInt8 = k == first || k == first + count - 1 ? 2 : 1
        uses[node] = min(2, uses[node] + step)
      }
    }
    var isCut = uses.map { $0 > 1 }
    for node in isCut.indices where !isCut[node] && uses[node] > 0 {
      if let tags = maker.nodes.tags(node), !tags.flags.isDisjoint(with: NodeTags.cutting) {
        isCut[node] = true
      }
    }
    for node in maker.nodes.barriers.keys where uses[node] > 0 { isCut[node] = true }
    for case .node(let id) in maker.restrictions.lazy.map(\.via) {
      if let node = maker.nodes.index(of: id) { isCut[node] = true }
    }
    return isCut
  }

  /// Keeps only the first of several pieces of one way between the same nodes, as joined maps
  /// contain.
  private mutating func dropTwice(_ wayIDs: [Int64]) {
    struct Key: Hashable {
      var way: Int64
      var ends: Ends
    }
    var seen: Set<Key> = []
    pieces.removeAll { piece in
      let ends = Ends(low: min(piece.from, piece.to), high: max(piece.from, piece.to))
      return !seen.insert(Key(way: wayIDs[Int(piece.way)], ends: ends)).inserted
    }
  }

  private struct Ends: Hashable {
    var low: UInt32
    var high: UInt32
  }

  /// Cuts the runs of one way so that no two of its pieces join the same nodes, since way and ends
  /// identify a piece.
  ///
  /// Of two such pieces, the one with points in between is cut again. A piece without any cannot be
  /// cut, so that it keeps its ends wherever it lies on the way.
  private mutating func split(
    _ runs: ArraySlice<(way: UInt32, first: Int, count: Int)>, isCut: [Bool]
  ) {
    var direct: Set<Ends> = []
    for (_, start, end) in parts(of: runs, isCut) where end - start == 1 {
      direct.insert(ends(start, end))
    }
    var seen: Set<Ends> = []
    for (way, start, end) in parts(of: runs, isCut) {
      add(way, start, end, direct: direct, seen: &seen)
    }
  }

  /// Places in `run` between which the runs are cut.
  private func parts(
    of runs: ArraySlice<(way: UInt32, first: Int, count: Int)>, _ isCut: [Bool]
  ) -> [(way: UInt32, start: Int, end: Int)] {
    var parts: [(way: UInt32, start: Int, end: Int)] = []
    for (way, first, count) in runs {
      var start = first
      for k in (first + 1)..<(first + count) where k == first + count - 1 || isCut[Int(run[k])] {
        parts.append((way, start, k))
        start = k
      }
    }
    return parts
  }

  private func ends(_ start: Int, _ end: Int) -> Ends {
    Ends(low: min(run[start], run[end]), high: max(run[start], run[end]))
  }

  private mutating func add(
    _ way: UInt32, _ start: Int, _ end: Int, direct: Set<Ends>, seen: inout Set<Ends>
  ) {
    let (from, to) = (run[start], run[end])
    let ends = ends(start, end)
    let isTaken = end - start > 1 && direct.contains(ends)
    if from == to || isTaken || !seen.insert(ends).inserted {
      guard end - start > 1 else { return }
      let middle = (start + end) / 2
      add(way, start, middle, direct: direct, seen: &seen)
      add(way, middle, end, direct: direct, seen: &seen)
    } else {
      pieces.append(
        Piece(
          from: from, to: to, way: way, firstPoint: UInt32(start + 1),
          pointCount: UInt32(end - start - 1)))
    }
  }
}

extension WaySplitter {
  /// Moves the pieces out.
  mutating func movePieces() -> [Piece] {
    let all = pieces
    pieces = []
    return all
  }
}
