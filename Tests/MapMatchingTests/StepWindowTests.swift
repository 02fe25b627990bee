import EventTime
import Geodesy
import Positioning
import RoadGraph
import Testing

@testable import MapMatching

/// The ring of steps against a plain list.
@Suite struct StepWindowTests {
  private let fix = Fix(place: Coordinate(latitudeDeg: 50, longitudeDeg: 8))

  private func append(_ number: Int, to window: inout StepWindow) {
    window.append(fix, at: Instant(nanoseconds: Int64(number))) { step, last in
      step.sigmaM = Double(number)
      step.transitions.drives.append(Transitions.Drive(from: 0, to: 0, gain: Double(number)))
      #expect((last?.pointee.sigmaM ?? Double(number - 1)) == Double(number - 1))
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `it holds what a list holds, however it grows and shrinks`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var window = StepWindow()
    var list: [Double] = []
    for number in 0..<2000 {
      append(number, to: &window)
      list.append(Double(number))
      if random.next() % 3 == 0 {
        let count = Int(random.next() % UInt64(list.count + 1))
        window.removeFirst(count, keeping: 2)
        list.removeFirst(count)
      }
      #expect(window.map(\.sigmaM) == list)
      #expect(window.count == list.count)
    }
  }

  @Test func `a copy keeps its steps`() {
    var window = StepWindow()
    for number in 0..<5 { append(number, to: &window) }
    let copy = window
    window.removeFirst(4, keeping: 2)
    for number in 5..<8 { append(number, to: &window) }
    window[0].sigmaM = -1
    #expect(copy.map(\.sigmaM) == [0, 1, 2, 3, 4])
    #expect(window.map(\.sigmaM) == [-1, 5, 6, 7])
  }

  @Test func `a step comes in the memory of one that is forgotten, and no more is kept`() {
    var window = StepWindow()
    for number in 0..<100 { append(number, to: &window) }
    window.removeFirst(99, keeping: 2)
    #expect(window.slotCount == 3)
    for number in 100..<1000 {
      append(number, to: &window)
      window.removeFirst(1, keeping: 2)
    }
    #expect(window.slotCount == 3)
    #expect(window.map(\.sigmaM) == [999])
    // The lists are those of steps before, as they were left.
    #expect(window[0].transitions.drives.count > 100)
  }

  @Test func `traces that follow one another or go side by side are matched as each alone, MM-13`()
    async throws
  {
    var map = TinyMap()
    let nodes = (0..<12).map { map.node(Double($0 % 4) * 200, Double($0 / 4) * 150) }
    for row in 0..<3 { map.line([0, 1, 2, 3].map { nodes[4 * row + $0] }) }
    for column in 0..<4 { map.line([0, 1, 2].map { nodes[4 * $0 + column] }) }
    let graph = try map.graph()
    // Some longer than the steps that are kept before a look for what can change no more, some short.
    let traces = (0..<6).map { seed in
      var drive = Drive(seed: UInt64(seed), sigmaM: 6)
      for _ in 0..<(seed % 2 == 0 ? 1 : 14) {
        drive.along([(0, 0), (600, 0), (600, 300), (0, 300), (0, 0)], speedMps: 20)
      }
      return drive.fixes
    }
    let alone = traces.map { MatchingNetwork(graph: graph, mode: .car).match(trace: $0) }
    let shared = MatchingNetwork(graph: graph, mode: .car)
    for (trace, known) in zip(traces + traces, alone + alone) {
      #expect(shared.match(trace: trace) == known)
    }
    let beside = await withTaskGroup(of: (Int, MatchedTrace).self) { group in
      for (number, trace) in traces.enumerated() {
        group.addTask { (number, shared.match(trace: trace)) }
      }
      return await group.reduce(into: [Int: MatchedTrace]()) { $0[$1.0] = $1.1 }
    }
    for (number, known) in alone.enumerated() { #expect(beside[number] == known) }
    #expect(traces.map(\.count).max() ?? 0 > 1024)
  }

  @Test(arguments: [MatcherTuning(), MatcherTuning().forAgreement])
  func `a vehicle of a fleet holds no more room than its roads need, BUS-8`(tuning: MatcherTuning)
    throws
  {
    var map = TinyMap()
    map.line([map.node(0, 0), map.node(400, 0), map.node(400, 400)])
    var drive = Drive()
    drive.along([(10, 0), (400, 0), (400, 390)], speedMps: 10)
    var matcher = OnlineMatcher(
      network: MatchingNetwork(graph: try map.graph(), mode: .car), tuning: tuning)
    for fix in drive.fixes { _ = matcher.match(fix) }
    #expect(matcher.trellis.steps.count > 1)
    for step in matcher.trellis.steps {
      // Two roads in both directions, and what lists take at the least.
      #expect(step.candidates.count <= 4 && step.candidates.capacity <= 8)
      #expect(step.states.capacity <= 8 && step.transitions.drives.capacity <= 16)
    }
  }
}
