import Foundations
import RoadGraph

/// Makes the view of a moment: flow by its rank, then pieces of edges, then closures and delays of
/// incidents.
struct TrafficViewMaker {
  private let graph: RoadGraph
  private let now: Instant
  /// The moment that determines the weights of fading values.
  private let fadedTo: Instant
  private let ages: TrafficAges
  private var finder: EdgePartFinder
  /// Maximum plausible speed by kind of road.
  private let boundMps: [Double]
  private(set) var view: TrafficView
  private var pieces: [EdgeID: EdgePieces] = [:]
  private var delayS: [EdgeID: Double] = [:]
  /// Delays that are included in live speeds without an end.
  private var hiddenDelayS: [EdgeID: Double] = [:]

  init(
    _ graph: RoadGraph, index: SegmentIndex, at now: Instant, fadedTo: Instant, ages: TrafficAges
  ) {
    self.graph = graph
    self.now = now
    self.fadedTo = fadedTo
    self.ages = ages
    finder = EdgePartFinder(index, in: graph)
    boundMps = graph.columns.attributes.records.map { SpeedBound.mps($0) }
    view = TrafficView(edgeCount: graph.edgeCount, asOf: now, observed: nil)
  }

  /// Adds the flow of a feed over earlier flow; expired values are left out.
  mutating func add(_ flow: FlowSnapshot) {
    view.reserve(flow.reports.count)
    var holdsAny = false
    // The reports of one message fade equally.
    var last: (source: SpeedSource, fading: SpeedFading, weight: Double)?
    for report in flow.reports {
      var state = report.state
      if let until = state.until {
        guard until > now else { continue }
      } else if flow.until == nil {
        if last?.source != state.source {
          let fading = ages.fading(state.source, observed: flow.observed)
          last = (state.source, fading, fading.weight(at: fadedTo))
        }
        guard let last, last.weight > 0 else { continue }
        (state.fading, state.weight) = (last.fading, last.weight)
        state.isOpenEnded = state.source == .live
      }
      // Nearly all reports are for one edge.
      if let edge = finder.edge(report.segment) {
        add(state, on: edge)
        holdsAny = true
        continue
      }
      for part in finder.parts(report.segment) {
        add(state, on: part)
        holdsAny = true
      }
    }
    if holdsAny { view.hold(observed: min(flow.observed, now)) }
  }

  private mutating func add(_ state: TrafficState, on part: EdgePart) {
    guard part.fromM > 0 || part.toM < graph.lengthM(part.edge) else {
      return add(state, on: part.edge)
    }
    pieces[part.edge, default: EdgePieces()].add(part, plausible(state, part.edge))
  }

  private mutating func add(_ report: TrafficState, on edge: EdgeID) {
    var state = plausible(report, edge)
    if !pieces.isEmpty { pieces[edge] = nil }
    if let old = view.state(of: edge) { lay(&state, over: old, edge) }
    view.set(state, on: edge)
  }

  private func plausible(_ state: TrafficState, _ edge: EdgeID) -> TrafficState {
    let bound = boundMps[Int(graph.columns.attributeIndex[edge.index])]
    guard state.speedMps > bound else { return state }
    var state = state
    state.speedMps = bound
    return state
  }

  /// Records the value to which a state fades: the one below it, if that has a lower rank or an end
  /// of its own.
  private func lay(_ state: inout TrafficState, over old: TrafficState, _ edge: EdgeID) {
    let holdsLonger = !state.fading.isNone && old.fading.isNone
    guard state.source.rank < old.source.rank || holdsLonger else {
      state.fallbackMps = old.fallbackMps
      state.fallbackSource = old.fallbackSource
      state.isFallbackClosed = old.isFallbackClosed
      return
    }
    state.fallbackSource = old.source
    state.isFallbackClosed = old.isClosed
    guard !old.isClosed else { return }
    state.fallbackMps = old.speedMps(
      freeFlowMps: graph.attributes(edge).freeFlowMps(.car), mode: .car)
  }

  /// Combines the pieces of edges; after all flow.
  mutating func combinePieces() {
    for (edge, pieces) in pieces {
      let freeFlowMps = graph.attributes(edge).freeFlowMps(.car)
      let state = pieces.combined(
        over: view.state(of: edge), lengthM: graph.lengthM(edge), freeFlowMps: freeFlowMps)
      if let state { view.set(state, on: edge) }
    }
  }

  /// Adds an incident that applies; after the pieces.
  mutating func add(_ incident: Incident, observed: Instant) {
    let parts = incident.places.flatMap { finder.parts($0) }
    for part in parts {
      view.add(on: part.edge)
      view.hold(observed: min(observed, now))
    }
    if !incident.isClosed, let seconds = incident.delayS, seconds > 0, seconds.isFinite {
      spread(seconds, over: parts)
    }
    view.count(incident)
  }

  /// Spreads a delay over the parts by length; where flow covers a part, it already includes the
  /// delay.
  ///
  /// If an incident lies on both directions of a road, each has the whole delay.
  private mutating func spread(_ seconds: Double, over parts: [EdgePart]) {
    let edges = Set(parts.map(\.edge))
    let lengthM = parts.reduce(0) { sum, part in
      let isTwice = graph.twin(part.edge).map { edges.contains($0) } ?? false
      return sum + part.lengthM / (isTwice ? 2 : 1)
    }
    guard lengthM > 0 else { return }
    for part in parts {
      let weight = flowWeight(on: part)
      let partS = seconds * part.lengthM / lengthM
      if weight < 1 { delayS[part.edge, default: 0] += partS * (1 - weight) }
      if let state = view.state(of: part.edge), state.isOpenEnded, !state.fallsBackOnFlow {
        hiddenDelayS[part.edge, default: 0] += partS * weight
      }
    }
  }

  private func flowWeight(on part: EdgePart) -> Double {
    if let pieces = pieces[part.edge], view.state(of: part.edge)?.unknownShare ?? 0 > 0 {
      return pieces.weight(on: part)
    }
    guard let state = view.state(of: part.edge), state.isMeasured, state.source.rank < 2 else {
      return 0
    }
    return state.fallsBackOnFlow ? 1 : state.weight
  }

  /// Adds the delays, then the closures of incidents, which take precedence over any flow; after
  /// all incidents.
  mutating func finish(closures: [Incident]) {
    for (edge, seconds) in delayS {
      var state = view.state(of: edge) ?? Self.unmeasured
      state.delaySPerM += seconds / graph.lengthM(edge)
      view.set(state, on: edge)
    }
    for (edge, seconds) in hiddenDelayS {
      guard var state = view.state(of: edge) else { continue }
      state.hiddenDelaySPerM = seconds / graph.lengthM(edge)
      view.set(state, on: edge)
    }
    for incident in closures {
      let closed = TrafficState(measuredJamFactor: 10, until: incident.until)
      for part in incident.places.flatMap({ finder.parts($0) }) { view.set(closed, on: part.edge) }
    }
  }

  private static var unmeasured: TrafficState {
    var state = TrafficState(source: .predicted)
    state.weight = 0
    return state
  }
}

extension TrafficState {
  /// Whether a measured or forecast speed lies below this one, so that incidents' delays are part
  /// of it.
  fileprivate var fallsBackOnFlow: Bool { fallbackMps != nil && fallbackSource.rank < 2 }
}
