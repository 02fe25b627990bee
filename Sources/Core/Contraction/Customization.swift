/// Weights of a hierarchy's arcs: the cheapest paths between their ends through vertices below
/// them.
///
/// Values are whole milliseconds. Immutable once made; new traffic makes a new one.
public final class HierarchyWeights: Sendable {
  /// No path, or one that costs more than eleven days; twice this value still fits.
  public static let infinite: Int32 = 1 << 30 - 1

  public let hierarchy: Hierarchy
  /// Shape `[arcCount]`: from an arc's lower end to its upper one, and back.
  let weights: FlatArray<SIMD2<Int32>>
  /// A bit for each direction of each arc: whether its weight is that of one of the graph's own
  /// arcs.
  let given: FlatArray<UInt64>

  /// Customizes `hierarchy` for the weights of the graph's arcs; those above `infinite` become
  /// infinite.
  ///
  /// `weight` is called for each arc in the order in which the hierarchy received them. Linear in
  /// the triangles of the hierarchy.
  public init(
    _ hierarchy: Hierarchy, inParallel: InParallel = oneByOne, weight: (Int) -> UInt32
  ) {
    self.hierarchy = hierarchy
    weights = FlatArray(
      repeating: SIMD2(Self.infinite, Self.infinite), count: hierarchy.arcCount)
    given = FlatArray(repeating: 0, count: hierarchy.arcCount / 32 + 1)
    let own = FlatArray<Int32>(repeating: Self.infinite, count: hierarchy.slot.count)
    let (slot, weights, bits) = (hierarchy.slot.buffer, weights.buffer, given.buffer)
    for k in slot.indices where slot[k] != .max {
      own[k] = Int32(min(weight(k), UInt32(Self.infinite)))
      let (arc, side) = (Int(slot[k] >> 1), Int(slot[k] & 1))
      weights[arc][side] = min(weights[arc][side], own[k])
    }
    for round in hierarchy.plan.rounds {
      inParallel(round.count) { [sums = self.weights] part in
        TriangleSweep(hierarchy, sums).run(round[part])
      }
    }
    for k in slot.indices where slot[k] != .max {
      guard weights[Int(slot[k] >> 1)][Int(slot[k] & 1)] == own[k] else { continue }
      bits[Int(slot[k] >> 6)] |= 1 << UInt64(slot[k] & 63)
    }
  }

  /// Weights that were computed elsewhere.
  init(
    _ hierarchy: Hierarchy, weights: FlatArray<SIMD2<Int32>>, given: FlatArray<UInt64>
  ) {
    self.hierarchy = hierarchy
    self.weights = weights
    self.given = given
  }

  /// Whether an arc's weight is that of one of the graph's own arcs.
  @inline(__always) func isGiven(_ arc: UInt32, isUp: Bool) -> Bool {
    let bit = arc << 1 | (isUp ? 0 : 1)
    return given.buffer[Int(bit >> 6)] >> UInt64(bit & 63) & 1 != 0
  }
}

/// Lowers the arcs of vertices by the triangles below them.
struct TriangleSweep {
  private let firstUp: UnsafeMutableBufferPointer<UInt32>
  private let head: UnsafeMutableBufferPointer<UInt32>
  private let firstDown: UnsafeMutableBufferPointer<UInt32>
  private let tails: UnsafeMutableBufferPointer<UInt32>
  private let places: UnsafeMutableBufferPointer<UInt16>
  private let weights: UnsafeMutableBufferPointer<SIMD2<Int32>>

  init(_ hierarchy: Hierarchy, _ weights: FlatArray<SIMD2<Int32>>) {
    firstUp = hierarchy.firstUp.buffer
    head = hierarchy.head.buffer
    firstDown = hierarchy.firstDown.buffer
    tails = hierarchy.downTail.buffer
    places = hierarchy.downPlace.buffer
    self.weights = weights.buffer
  }

  /// Processes `ranks` in ascending order; everything below them must be done.
  func run(_ ranks: Range<Int>) {
    let place = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: firstUp.count)
    defer { place.deallocate() }
    let weights = weights
    let infinite = SIMD2(HierarchyWeights.infinite, HierarchyWeights.infinite)
    for u in ranks {
      let first = Int(firstUp[u])
      let end = Int(firstUp[u + 1])
      guard first < end else { continue }
      var isPlaced = false
      for k in Int(firstDown[u])..<Int(firstDown[u + 1]) {
        let tail = Int(tails[k])
        let arc = Int(firstUp[tail]) + Int(places[k])
        // First from this vertex to the lower one, then back.
        let step = SIMD2(weights[arc].y, weights[arc].x)
        if step == infinite { continue }
        let rest = arc + 1
        let count = Int(firstUp[tail + 1]) - rest
        // The neighbours of the lower vertex are among those of this one; with equal counts they
        // are the same.
        if count == end - first {
          var (a, j) = (first, rest)
          while a < end {
            weights[a] = pointwiseMin(weights[a], weights[j] &+ step)
            a &+= 1
            j &+= 1
          }
        } else {
          if !isPlaced {
            isPlaced = true
            for a in first..<end { place[Int(head[a])] = UInt32(a) }
          }
          var j = rest
          while j < rest &+ count {
            let a = Int(truncatingIfNeeded: place[Int(truncatingIfNeeded: head[j])])
            weights[a] = pointwiseMin(weights[a], weights[j] &+ step)
            j &+= 1
          }
        }
      }
    }
  }
}
