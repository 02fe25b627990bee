import Geodesy
import RoadGraph

/// The road network as an undirected graph without the trees and chains that any good order begins
/// with.
///
/// In the turn-expanded graph an edge of road is a vertex, and eliminating it joins the neighbours
/// of its two ends: it contracts the edge in the road graph. Ends where only one or two pieces meet
/// are contracted here, which adds no neighbours to any vertex; linear. About a third of a city
/// remains.
struct RoadSkeleton: Sendable {
  /// Pieces in the order in which they are eliminated, beginning with those that no mode may use.
  private(set) var early: [UInt32] = []
  /// Pieces that remain, and the nodes of the skeleton at their two ends.
  private(set) var piece: [UInt32] = []
  private(set) var ends: [(a: UInt32, b: UInt32)] = []
  /// Vertices of the turn-expanded graph that the piece represents: 1 or 2.
  private(set) var width: [UInt8] = []
  /// Degrees times 10^7, with longitudes scaled so that both count equally.
  private(set) var x: [Int32] = []
  private(set) var y: [Int32] = []
  var nodeCount: Int { x.count }

  private struct Reduction {
    var end: [(a: UInt32, b: UInt32)]
    var width: [UInt8]
    var isDone: [Bool]
    var touching: [[UInt32]]
    var order: [UInt32] = []

    func other(_ piece: UInt32, from node: UInt32) -> UInt32 {
      let pair = end[Int(piece)]
      return pair.a == node ? pair.b : pair.a
    }

    mutating func eliminate(_ piece: UInt32) {
      isDone[Int(piece)] = true
      order.append(piece)
    }
  }

  init(_ graph: RoadGraph) {
    let columns = graph.columns
    let isUsable = columns.attributes.records.map { road in
      TravelMode.allCases.contains { road.crossingS > 0 || road.freeFlowMps($0) > 0 }
    }
    var reduction = Reduction(
      end: [], width: [UInt8](repeating: 0, count: graph.pieceCount),
      isDone: [Bool](repeating: false, count: graph.pieceCount),
      touching: [[UInt32]](repeating: [], count: graph.nodeCount))
    for index in 0..<graph.edgeCount where isUsable[Int(columns.attributeIndex[index])] {
      reduction.width[Int(columns.piece[index] >> 1)] += 1
    }
    for piece in 0..<graph.pieceCount {
      let edge = columns.pieceEdge[piece].index
      let pair = (a: columns.tail[edge].rawValue, b: columns.head[edge].rawValue)
      reduction.end.append(pair)
      if reduction.width[piece] == 0 || pair.a == pair.b {
        reduction.eliminate(UInt32(piece))
      } else {
        reduction.touching[Int(pair.a)].append(UInt32(piece))
        reduction.touching[Int(pair.b)].append(UInt32(piece))
      }
    }
    Self.reduce(&reduction, nodes: graph.nodeCount)
    early = reduction.order
    store(reduction, graph)
  }

  private static func reduce(_ reduction: inout Reduction, nodes: Int) {
    var open = (0..<UInt32(nodes)).reversed().filter { reduction.touching[Int($0)].count <= 2 }
    while let node = open.popLast() {
      var own = reduction.touching[Int(node)]
      guard let first = own.first, own.count <= 2 else { continue }
      reduction.touching[Int(node)] = []
      // The wider of two is eliminated first: the narrower one represents the chain when it is cut.
      if own.count == 2, reduction.width[Int(own[1])] > reduction.width[Int(first)] {
        own.swapAt(0, 1)
      }
      let into = reduction.other(own[0], from: node)
      reduction.eliminate(own[0])
      reduction.touching[Int(into)].removeAll { $0 == own[0] }
      if own.count == 2 {
        let kept = own[1]
        let far = reduction.other(kept, from: node)
        if far == into {
          reduction.eliminate(kept)
          reduction.touching[Int(into)].removeAll { $0 == kept }
        } else {
          reduction.end[Int(kept)] = (into, far)
          reduction.touching[Int(into)].append(kept)
        }
      }
      if reduction.touching[Int(into)].count <= 2 { open.append(into) }
    }
  }

  private mutating func store(_ reduction: Reduction, _ graph: RoadGraph) {
    let columns = graph.columns
    let box = graph.boundingBox
    let middleDeg = box.map { ($0.southDeg + $0.northDeg) / 2 } ?? 0
    let scale = cosine(degrees: middleDeg)
    var number = [UInt32](repeating: .max, count: graph.nodeCount)
    for node in 0..<graph.nodeCount where !reduction.touching[node].isEmpty {
      number[node] = UInt32(x.count)
      x.append(Int32(Double(columns.nodeLongitude[node]) * scale))
      y.append(columns.nodeLatitude[node])
    }
    for index in 0..<graph.pieceCount where !reduction.isDone[index] {
      piece.append(UInt32(index))
      let pair = reduction.end[index]
      ends.append((number[Int(pair.a)], number[Int(pair.b)]))
      width.append(reduction.width[index])
    }
  }

  // Bhaskara's approximation: within 0.002, which is enough for the direction of a cut.
  private func cosine(degrees: Double) -> Double {
    let square = degrees * degrees
    return Double.maximum(0.05, (32_400 - 4 * square) / (32_400 + square))
  }
}
