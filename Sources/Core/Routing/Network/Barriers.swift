import RoadGraph

/// The barriers of a map that are not open to through traffic, or limit sizes.
///
/// A barrier acts as a road of zero length between the edge that leads to it and the next one.
/// Linear in the barriers.
struct Barriers: Sendable {
  let nodes: Column<NodeID>
  /// Shape `[barriers]`: access level of each barrier for each mode, two bits per mode as in
  /// `EdgeTraits`.
  private let levels: Column<UInt16>
  private let attribute: Column<UInt32>

  init(_ graph: RoadGraph) {
    let columns = graph.columns
    nodes = columns.barrierNode
    attribute = columns.barrierAttribute
    levels = Column(
      columns.barrierAttribute.records.map { index in
        let road = columns.attributes[Int(index)]
        return TravelMode.allCases.reduce(UInt16(0)) {
          $0 | UInt16(Self.level(road.access($1))) << (2 * UInt16($1.rawValue))
        }
      })
  }

  var isEmpty: Bool { nodes.count == 0 }

  /// The access levels of the barrier at a node for all modes, packed; 0 if there is none.
  func levels(at node: NodeID) -> UInt16 { place(node).map { levels.records[$0] } ?? 0 }

  /// The access level of the barrier at a node for a mode: 0 to 2 as in `EdgeTraits`.
  func level(at node: NodeID, _ mode: TravelMode) -> UInt8 {
    UInt8(levels(at: node) >> (2 * UInt16(mode.rawValue)) & 3)
  }

  /// The index of the attributes of the barrier at a node; nil if there is none.
  func attribute(at node: NodeID) -> Int? { place(node).map { Int(attribute.records[$0]) } }

  // Modes that never pass have turn restrictions.
  private static func level(_ access: Access) -> UInt8 {
    switch access {
    case .yes, .dismount, .no: 0
    case .destination, .customers, .delivery: 1
    case .private: 2
    }
  }

  private func place(_ node: NodeID) -> Int? { nodes.index(of: node) }
}
