import Messages
import RoadGraph
import Traffic

/// Flow in the columns of a message.
struct FlowRows {
  private(set) var columns = WireFlowColumns()

  mutating func add(
    _ segment: SegmentReference, _ state: TrafficState, _ freeFlowMps: Double, untilS: Double?
  ) {
    let speedMps = state.isClosed ? 0 : state.speedMps(freeFlowMps: freeFlowMps, mode: .car)
    let jam = freeFlowMps > 0 || state.isClosed ? state.jamFactor(freeFlowMps: freeFlowMps) : 0
    columns.way.append(segment.way)
    columns.from.append(segment.from)
    columns.to.append(segment.to)
    columns.speedMmps.append(Int64((speedMps * 1000).rounded()))
    columns.jamFactor.append(Int64((jam * 10).rounded()))
    columns.untilS.append(Int64(Double.maximum(0, untilS ?? 0).rounded(.up)))
  }
}
