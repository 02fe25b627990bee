import DrawnMaps
import Foundations
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// The window of steps, compared with plain lists.
@Suite struct StepWindowTests {
  private let fix = Fix(place: Coordinate(latitudeDeg: 50, longitudeDeg: 8))

  private func candidate(_ number: Int) -> Candidate {
    let state = TravelState(EdgeID(number), isAgainst: false)
    return Candidate(
      directed: DirectedEdge(
        state: state, back: .nowhere, start: NodeID(0), end: NodeID(0), lengthM: 1, attributes: 0),
      offsetM: Double(number), coordinate: fix.place, distanceM: 0,
      course: DirectionVector(toEast: 1, toNorth: 0))
  }

  /// Adds step `number`, with these numbers of candidates and paths.
  private func append(
    _ number: Int, candidates: Int = 3, drives: Int = 4, to window: inout StepWindow
  ) {
    let before = window.last?.time
    window.append(fix, at: Instant(nanoseconds: Int64(number)), isSparse: false)
    let beforeCount = window.dropLast().last?.candidateCount ?? 0
    window.withCandidatesBefore { #expect($0.count == beforeCount) }
    (0..<candidates).map { candidate(number + $0) }.withUnsafeBufferPointer { window.store($0) }
    window.withNewest { newest, last in
      #expect(newest.states.count == candidates + 1 && newest.offRoadState == candidates)
      for state in newest.states.indices {
        newest.states[state] = TrellisState(emission: -Double(number + state))
      }
      #expect(last?.step.time == before)
    }
    (0..<drives).map { Transitions.Drive(from: 0, to: Int32($0), gain: Double(number)) }
      .withUnsafeBufferPointer { window.store($0) }
  }

  /// Whether a step has the rows that it was added with.
  private func isWhole(
    _ window: StepWindow, at index: Int, _ number: Int, candidates: Int, drives: Int
  ) -> Bool {
    window[index].time == Instant(nanoseconds: Int64(number))
      && window.candidates(at: index) == (0..<candidates).map { candidate(number + $0) }
      && window.states(at: index).map(\.emission) == (0...candidates).map { -Double(number + $0) }
      && window.drives(at: index)
        == (0..<drives).map { Transitions.Drive(from: 0, to: Int32($0), gain: Double(number)) }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `it has the contents of a list when it grows and shrinks`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var window = StepWindow()
    var list: [(number: Int, candidates: Int, drives: Int)] = []
    for number in 0..<2000 {
      let (candidates, drives) = (Int(random.next() % 9), Int(random.next() % 30))
      append(number, candidates: candidates, drives: drives, to: &window)
      list.append((number, candidates, drives))
      if random.next() % 3 == 0 {
        let count = Int(random.next() % UInt64(list.count + 1))
        window.removeFirst(count, keeping: Int(random.next() % 8))
        list.removeFirst(count)
      } else if random.next() % 200 == 0 {
        window.removeAll(keeping: Int(random.next() % 100))
        list = []
      }
      #expect(window.count == list.count)
      for (index, step) in list.enumerated() {
        #expect(
          isWhole(
            window, at: index, step.number, candidates: step.candidates, drives: step.drives))
      }
    }
  }

  @Test func `a copy keeps its steps`() {
    var window = StepWindow()
    for number in 0..<5 { append(number, to: &window) }
    let copy = window
    window.removeFirst(4, keeping: 2)
    for number in 5..<8 { append(number, to: &window) }
    window[0].sigmaM = -1
    window.withNewest { newest, _ in newest.states[0] = TrellisState(emission: -9) }
    for number in 0..<5 {
      #expect(isWhole(copy, at: number, number, candidates: 3, drives: 4))
    }
    #expect(copy.allSatisfy { $0.sigmaM == 0 })
    #expect(window.map(\.time) == [4, 5, 6, 7].map { Instant(nanoseconds: $0) })
  }

  @Test func `new steps reuse memory, and a window that was long frees its own`() {
    var window = StepWindow()
    for number in 0..<100 { append(number, to: &window) }
    let longest = window.byteCount
    window.removeFirst(99, keeping: 2)
    for number in 100..<110 {
      append(number, to: &window)
      window.removeFirst(1, keeping: 2)
    }
    let shortest = window.byteCount
    #expect(shortest < longest / 5)
    for number in 110..<1000 {
      append(number, to: &window)
      window.removeFirst(1, keeping: 2)
    }
    #expect(window.byteCount == shortest)
    #expect(isWhole(window, at: 0, 999, candidates: 3, drives: 4))
  }

  @Test func `an empty window keeps its memory up to a limit`() {
    var window = StepWindow()
    for number in 0..<100 { append(number, to: &window) }
    let held = window.byteCount
    window.removeAll(keeping: 1000)
    #expect(window.isEmpty && window.byteCount == held)
    append(7, to: &window)
    #expect(isWhole(window, at: 0, 7, candidates: 3, drives: 4))
    window.removeAll(keeping: 10)
    #expect(window.isEmpty && window.byteCount == 0)
    window.withNewest { _, _ in Issue.record("there is no step") }
    append(8, candidates: 0, drives: 0, to: &window)
    #expect(isWhole(window, at: 0, 8, candidates: 0, drives: 0))
  }

  @Test func `traces one after the other or in parallel are matched as each alone, MM-13`()
    async throws
  {
    let map = try DrawnMap(
      """
      i-j-k-l
      e-f-g-h
      a-b-c-d
      """,
      ways: [
        "abcd": "", "efgh": "", "ijkl": "", "aei": "", "bfj": "", "cgk": "", "dhl": "",
      ], line: 150)
    // Some are longer than the window at which converged steps are removed, some are short.
    let traces = try (0..<6).map { seed in
      var trace = DrawnTrace(on: map, accuracyM: 9, hasMotion: true)
      for _ in 0..<(seed % 2 == 0 ? 1 : 14) { try trace.drive("adlia", speedMps: 20) }
      return trace.fixes.withErrors(seed: UInt64(seed), sigmaM: 6)
    }
    let alone = traces.map { MatchingNetwork(map).match(trace: $0) }
    let shared = MatchingNetwork(map)
    for (trace, known) in zip(traces + traces, alone + alone) {
      #expect(shared.match(trace: trace) == known)
    }
    let parallel = await withTaskGroup(of: (Int, MatchedTrace).self) { group in
      for (number, trace) in traces.enumerated() {
        group.addTask { (number, shared.match(trace: trace)) }
      }
      return await group.reduce(into: [Int: MatchedTrace]()) { $0[$1.0] = $1.1 }
    }
    for (number, known) in alone.enumerated() { #expect(parallel[number] == known) }
    #expect(traces.map(\.count).max() ?? 0 > 1024)
  }

  @Test(arguments: [MatcherTuning(), MatcherTuning().forConvergence])
  func `a vehicle of a fleet uses no more memory than its roads need, BUS-8`(tuning: MatcherTuning)
    throws
  {
    let map = try DrawnMap(
      """
          c
          |
      a---b
      """, ways: ["ab": "", "bc": ""], line: 200)
    var trace = DrawnTrace(on: map, accuracyM: 3, hasMotion: true)
    try trace.drive("abc", speedMps: 10)
    var matcher = OnlineMatcher(map, tuning: tuning)
    for fix in trace.fixes { _ = matcher.match(fix) }
    let steps = matcher.trellis.steps
    #expect(steps.count > 1)
    // Two roads in both directions.
    #expect(steps.allSatisfy { $0.candidateCount <= 4 })
    let stepBytes =
      MemoryLayout<TrellisStep>.stride + 4 * MemoryLayout<Candidate>.stride
      + 5 * MemoryLayout<TrellisState>.stride + 8 * MemoryLayout<Transitions.Drive>.stride
    #expect(steps.byteCount <= 2 * (steps.count + 4) * stepBytes)
  }
}
