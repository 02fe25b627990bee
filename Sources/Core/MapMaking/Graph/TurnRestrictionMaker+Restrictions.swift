import Geodesy
import RoadGraph

extension TurnRestrictionMaker {
  /// The sequences of edges that a restriction forbids; empty if its members do not meet.
  func sequences(of restriction: TurnRestriction) -> [[UInt32]] {
    let to = Set(restriction.to.flatMap { edges(ofWay: $0) })
    let from = restriction.from.flatMap { edges(ofWay: $0) }
    switch restriction.via {
    case .node(let id):
      guard let place = assembly.maker.nodes.index(of: id), assembly.nodeAt[place] != .max else {
        return []
      }
      let node = assembly.nodeAt[place]
      let starts = from.filter { assembly.head[Int($0)] == node }
      return restrictions(restriction, paths: starts.map { [$0] }, to: to)
    case .ways(let ways):
      let starts = from.map { [$0] }
      var paths = starts
      for way in ways {
        let own = Set(edges(ofWay: way))
        paths = paths.flatMap { extensions(of: $0, along: own) }
      }
      let inOrder = restrictions(restriction, paths: paths, to: to)
      guard inOrder.isEmpty, ways.count > 1 else { return inOrder }
      // Editors store members in any order, but the ways share nodes, so only one order forms a
      // path.
      let all = ways.map { Set(edges(ofWay: $0)) }
      return restrictions(
        restriction, paths: starts.flatMap { pathsInAnyOrder(from: $0, along: all) }, to: to)
    }
  }

  /// Why a restriction has no sequences.
  func reason(against restriction: TurnRestriction) -> DroppedRestriction {
    var ways = [restriction.from, restriction.to]
    switch restriction.via {
    case .node(let id):
      guard let place = assembly.maker.nodes.index(of: id), assembly.nodeAt[place] != .max else {
        return .absent
      }
    case .ways(let via): ways += via.map { [$0] }
    }
    let isThere = ways.allSatisfy { $0.contains { !edges(ofWay: $0).isEmpty } }
    return isThere ? .apart : .absent
  }

  /// The paths that continue a path along all of the given ways, in any order in which they meet.
  private func pathsInAnyOrder(
    from path: [UInt32], along ways: [Set<UInt32>]
  ) -> [[UInt32]] {
    var result: [[UInt32]] = []
    var open = [(path: path, left: Array(ways.indices))]
    var steps = 0
    while let (path, left) = open.popLast(), result.count < 64, steps < 4096 {
      steps += 1
      if left.isEmpty {
        result.append(path)
        continue
      }
      for way in left {
        let rest = left.filter { $0 != way }
        open += extensions(of: path, along: ways[way]).map { ($0, rest) }
      }
    }
    return result
  }

  /// The path extended by each run of edges of one via way.
  private func extensions(of path: [UInt32], along way: Set<UInt32>) -> [[UInt32]] {
    var result: [[UInt32]] = []
    var open = [path]
    while let path = open.popLast(), result.count < 64 {
      guard let last = path.last else { continue }
      for next in leaving(assembly.head[Int(last)])
      where way.contains(next) && next != twin(last) && !path.contains(next) {
        let longer = path + [next]
        result.append(longer)
        if longer.count < 32 { open.append(longer) }
      }
    }
    return result
  }

  private func restrictions(
    _ restriction: TurnRestriction, paths: [[UInt32]], to: Set<UInt32>
  ) -> [[UInt32]] {
    var whole: [[UInt32]] = []
    for path in paths {
      guard let last = path.last else { continue }
      for next in leaving(assembly.head[Int(last)]) where to.contains(next) {
        if next == twin(last), restriction.turn != .uTurn { continue }
        whole.append(path + [next])
      }
    }
    // A way that runs through the junction meets it with two ends; the restriction's value shows
    // which one is meant.
    let fitting = whole.filter { fits($0, restriction.turn) }
    if !fitting.isEmpty { whole = fitting }
    return restriction.isOnly ? deviations(from: whole) : whole
  }

  /// Every turn that leaves one of the prescribed sequences.
  ///
  /// If two prescribed sequences share a beginning, the continuations of both are allowed.
  private func deviations(from prescribed: [[UInt32]]) -> [[UInt32]] {
    let allowed = Set(prescribed.flatMap { path in path.indices.map { Array(path[...$0]) } })
    var forbidden: Set<[UInt32]> = []
    for path in prescribed {
      for k in path.indices.dropLast() {
        let start = Array(path[...k])
        for next in leaving(assembly.head[Int(path[k])]) where !allowed.contains(start + [next]) {
          forbidden.insert(start + [next])
        }
      }
    }
    return Array(forbidden)
  }

  private func fits(_ path: [UInt32], _ turn: TurnRestriction.Turn) -> Bool {
    guard let first = path.first, let last = path.last else { return false }
    let angle = Angle.turnDeg(from: endBearingDeg(first), to: startBearingDeg(last))
    return switch turn {
    case .any: true
    case .left: angle < -15 && angle > -175
    case .right: angle > 15 && angle < 175
    case .straight: abs(angle) < 60
    case .uTurn: path.count == 2 ? last == twin(first) : abs(angle) > 120
    }
  }

  private func endBearingDeg(_ edge: UInt32) -> Double {
    let twinCode = assembly.code[Int(edge)] ^ 1
    return Angle.normalizedDeg(bearingDeg(code: twinCode) + 180)
  }

  private func startBearingDeg(_ edge: UInt32) -> Double {
    bearingDeg(code: assembly.code[Int(edge)])
  }

  /// The bearing at which a piece starts, along or against its points.
  private func bearingDeg(code: UInt32) -> Double {
    let piece = assembly.pieces[Int(code >> 1)]
    let points = assembly.run[Int(piece.firstPoint)..<Int(piece.firstPoint + piece.pointCount)]
    let isForward = code & 1 == 0
    let start = isForward ? piece.from : piece.to
    // `run` contains the points in the direction of the way.
    let nearest = isForward != piece.isReversed ? points.first : points.last
    let next = nearest ?? (isForward ? piece.to : piece.from)
    return assembly.coordinate(start).bearingDeg(to: assembly.coordinate(next))
  }
}
