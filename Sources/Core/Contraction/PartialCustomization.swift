import RoadGraph

extension HierarchyWeights {
  /// Beyond the number of arcs divided by this, examining triangles takes as long as computing
  /// everything again.
  private static let worthwhileShare = 6

  /// These weights with different ones for some arcs of the graph: only what depends on them is
  /// computed again.
  ///
  /// `arcs` are those whose weight may differ, as numbers in the order in which the hierarchy
  /// received them. `weight` is called for the new weights of these and others, by number and tail.
  /// The result is nil if so much depends on them that computing everything is faster. It is
  /// bit-identical to customizing everything.
  public func changed(
    _ arcs: [Int], weight: (_ arc: Int, _ tail: Int) -> UInt32
  ) -> HierarchyWeights? {
    changed(arcs, limit: hierarchy.arcCount / Self.worthwhileShare, weight: weight)
  }

  /// Whether every arc has the same weight and represents the same path.
  public func isSame(as other: HierarchyWeights) -> Bool {
    hierarchy === other.hierarchy && weights.buffer.elementsEqual(other.weights.buffer)
      && given.buffer.elementsEqual(other.given.buffer)
  }

  func changed(
    _ arcs: [Int], limit: Int, weight: (_ arc: Int, _ tail: Int) -> UInt32
  ) -> HierarchyWeights? {
    guard limit > 0 else { return nil }
    return withoutActuallyEscaping(weight) { weight in
      let update = WeightUpdate(self, weight)
      return update.run(arcs, limit: limit) ? update.finished : nil
    }
  }
}

/// New weights under construction: vertices upwards, each after all those below it.
private struct WeightUpdate {
  private let base: HierarchyWeights
  private let hierarchy: Hierarchy
  /// The new weight of one of the graph's own arcs.
  private let weight: (Int, Int) -> UInt32
  private let weights: FlatArray<SIMD2<Int32>>
  private let given: FlatArray<UInt64>
  /// A bit for each arc: whether it got a lower weight from below, or its own weight differs.
  private let open: FlatArray<UInt64>
  /// A bit for each arc: whether the path that it represented is longer now, so that all paths are
  /// examined.
  private let lost: FlatArray<UInt64>

  init(_ base: HierarchyWeights, _ weight: @escaping (Int, Int) -> UInt32) {
    self.base = base
    self.weight = weight
    hierarchy = base.hierarchy
    weights = FlatArray(copying: base.weights)
    given = FlatArray(copying: base.given)
    let words = base.hierarchy.arcCount / 64 + 1
    open = FlatArray(repeating: 0, count: words)
    lost = FlatArray(repeating: 0, count: words)
  }

  var finished: HierarchyWeights {
    HierarchyWeights(hierarchy, weights: weights, given: given)
  }

  /// Processes everything that depends on `arcs`; returns false if that takes more than `limit`
  /// triangles.
  func run(_ arcs: [Int], limit: Int) -> Bool {
    for k in arcs where hierarchy.slot[k] != .max {
      mark(Int(hierarchy.slot[k] >> 1), isLost: false)
    }
    var done = 0
    var changed: [Int] = []
    for word in 0..<open.count where open[word] != 0 {
      // Arcs marked meanwhile belong to higher vertices, so they come after this one.
      while open[word] != 0 {
        let arc = word << 6 | open[word].trailingZeroBitCount
        let (tail, last) = vertex(below: arc)
        changed.removeAll(keepingCapacity: true)
        for other in arc..<last where isMarked(open, other) {
          open[other >> 6] &= ~(1 << UInt64(other & 63))
          if settle(other, tail, &done) { changed.append(other) }
          guard done <= limit else { return false }
        }
        for other in changed {
          done += Int(hierarchy.firstUp[tail + 1] - hierarchy.firstUp[tail])
          guard done <= limit else { return false }
          spread(other, tail)
        }
      }
    }
    return true
  }

  private func mark(_ arc: Int, isLost: Bool) {
    open[arc >> 6] |= 1 << UInt64(arc & 63)
    if isLost { lost[arc >> 6] |= 1 << UInt64(arc & 63) }
  }

  private func isMarked(_ bits: FlatArray<UInt64>, _ arc: Int) -> Bool {
    bits[arc >> 6] >> UInt64(arc & 63) & 1 != 0
  }

  /// The vertex at an arc's lower end, and the end of its arcs.
  private func vertex(below arc: Int) -> (tail: Int, last: Int) {
    let firstUp = hierarchy.firstUp.buffer
    var low = 0
    var high = hierarchy.vertexCount
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(firstUp[middle]) <= arc { low = middle } else { high = middle }
    }
    return (low, Int(firstUp[low + 1]))
  }

  /// Sets the final weight of an arc; returns whether it differs from the old one.
  private func settle(_ arc: Int, _ tail: Int, _ done: inout Int) -> Bool {
    let infinite = SIMD2(HierarchyWeights.infinite, HierarchyWeights.infinite)
    let ends = (hierarchy.vertex[tail], hierarchy.vertex[Int(hierarchy.head[arc])])
    let own = (least(from: ends.0, to: ends.1), least(from: ends.1, to: ends.0))
    let owned = SIMD2(own.0 ?? infinite.x, own.1 ?? infinite.y)
    let was = base.weights[arc]
    let isOwnLost =
      owned.x > was.x && base.isGiven(UInt32(arc), isUp: true)
      || owned.y > was.y && base.isGiven(UInt32(arc), isUp: false)
    done += 1
    if isOwnLost || isMarked(lost, arc) {
      done += Int(hierarchy.firstDown[tail + 1] - hierarchy.firstDown[tail])
      var total = owned
      let head = hierarchy.head[arc]
      for k in Int(hierarchy.firstDown[tail])..<Int(hierarchy.firstDown[tail + 1]) {
        let below = hierarchy.downTail[k]
        let first = Int(hierarchy.firstUp[Int(below)]) + Int(hierarchy.downPlace[k])
        let step = SIMD2(weights[first].y, weights[first].x)
        if step == infinite { continue }
        let second = Int(hierarchy.arc(below, head))
        guard hierarchy.head[second] == head else { continue }
        total = pointwiseMin(total, weights[second] &+ step)
      }
      weights[arc] = total
    } else {
      weights[arc] = pointwiseMin(weights[arc], owned)
    }
    for side in 0..<2 {
      let bit = UInt64(1) << UInt64((2 * arc + side) & 63)
      if (side == 0 ? own.0 : own.1) == weights[arc][side] {
        given[arc >> 5] |= bit
      } else {
        given[arc >> 5] &= ~bit
      }
    }
    return weights[arc] != base.weights[arc]
  }

  /// The lowest weight of the graph's own arcs between two vertices; nil if there is none.
  private func least(from tail: UInt32, to head: UInt32) -> Int32? {
    var least: Int32?
    for k in Int(hierarchy.firstArc[Int(tail)])..<Int(hierarchy.firstArc[Int(tail) + 1])
    where hierarchy.arcHead[k] == head {
      let own = Int32(min(weight(k, Int(tail)), UInt32(HierarchyWeights.infinite)))
      least = min(least ?? own, own)
    }
    return least
  }

  /// Propagates the new weight of `arc` to the arcs that lead over its lower end.
  private func spread(_ arc: Int, _ tail: Int) {
    let head = hierarchy.head[arc]
    for other in Int(hierarchy.firstUp[tail])..<Int(hierarchy.firstUp[tail + 1])
    where other != arc {
      let end = hierarchy.head[other]
      // Both ends of the upper arc are neighbours of `tail`; it leads from the lower one to the
      // higher one.
      let (first, second) = head < end ? (arc, other) : (other, arc)
      let upper = Int(hierarchy.arc(min(head, end), max(head, end)))
      let old = through(base.weights, first, second)
      let new = through(weights, first, second)
      let was = base.weights[upper]
      let isLost = (0..<2).contains {
        old[$0] == was[$0] && new[$0] > old[$0] && was[$0] < HierarchyWeights.infinite
      }
      let less = pointwiseMin(weights[upper], new)
      if isLost || less != weights[upper] {
        weights[upper] = less
        mark(upper, isLost: isLost)
      }
    }
  }

  /// From the head of `first` down and up to the head of `second`, and back.
  private func through(
    _ weights: FlatArray<SIMD2<Int32>>, _ first: Int, _ second: Int
  ) -> SIMD2<Int32> {
    SIMD2(weights[first].y, weights[first].x) &+ weights[second]
  }
}
