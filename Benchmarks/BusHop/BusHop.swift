import BusProtocol
import CLinux
import Glibc

/// What a hop over the bus costs next to plain libzmq, in one run: 300 bytes over ipc.
///
///     bench-bus-hop [ROUNDS] [MESSAGES] [RATE] [WAY...]
///     bench-bus-hop paced [RATE...]
///     bench-bus-hop processes [RATE]
///
/// The floor is a PUB, a `zmq_proxy` and a SUB, with one part a message and with three. Ours is a
/// publisher of the library, the broker and a reader; it is read once by a plain SUB and once by the
/// library's work loop. Each of the three is a thread of this process with a context of its
/// own, so the figures hold what separate processes pay but for the address spaces; `processes` measures
/// the latency between three of them, see `Processes`. Rounds take
/// turns, so that a busy machine is busy for both; medians count. Latency is measured at RATE messages a second,
/// 100 where none is given: at one a second processors sleep deeper and caches are cold. A WAY is `floor`,
/// `threefold`, `plain` or `library`; all of them where none is named. `paced` measures latency while so many
/// messages a second pass, see `Paced`.
@main
struct BusHop {
  static let payloadBytes = 300
  static let rateHz = max(
    1, CommandLine.arguments.compactMap { Int($0) }.dropFirst(2).first ?? 100)
  static var pauseUS: UInt32 { UInt32(1_000_000 / rateHz) }

  /// What a message can go over.
  private enum Way: String, CaseIterable {
    case floor, threefold, plain, library

    var title: String {
      switch self {
      case .floor: "libzmq through a proxy, one part a message"
      case .threefold: "libzmq through a proxy, three parts a message"
      case .plain: "the bus, read by a plain SUB"
      case .library: "the bus, read by the library"
      }
    }
  }

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "reader" { return try Processes.read(Array(arguments.dropFirst())) }
    var name = Array("/tmp/navhop.XXXXXX".utf8CString)
    guard let made = mkdtemp(&name) else { return print("no temporary directory") }
    let directory = String(cString: made)
    defer { rmdir(directory) }
    if arguments.first == "paced" {
      return try Paced.report(directory, rates: arguments.dropFirst().compactMap(Int.init))
    }
    if arguments.first == "processes" {
      let rateHz = arguments.compactMap(Int.init).first ?? 1
      return try Processes.report(directory, rateHz: max(1, rateHz))
    }
    let numbers = arguments.compactMap(Int.init)
    let rounds = max(1, numbers.first ?? 5)
    let count = max(1_000, numbers.dropFirst().first ?? 300_000)
    let named = arguments.compactMap(Way.init)
    let ways = named.isEmpty ? Way.allCases : named
    var series = ways.map { Series($0.title) }
    for round in 1...rounds {
      let hop = try Hop(directory)
      for (index, way) in ways.enumerated() {
        switch way {
        case .floor, .threefold:
          let parts = way == .floor ? 1 : 3
          series[index].add(
            try Floor.latency(directory, parts: parts),
            try Floor.throughput(directory, parts: parts, count))
        case .plain:
          series[index].add(try hop.latencyToPlainReader(), try hop.throughputToPlainReader(count))
        case .library: series[index].add(try hop.latency(), try hop.throughputToLibrary(count))
        }
      }
      hop.end()
      print("round \(round) of \(rounds) done")
    }
    for way in series {
      way.report(
        against: named.contains(.floor) || named.isEmpty
          ? series[ways.firstIndex(of: .floor) ?? 0] : nil)
    }
  }
}

/// Messages a second, and the processor time that all threads took for one of them.
struct Throughput {
  var sent: Int
  var received: Int
  var perSecond: Double
  var cpuMicroseconds: Double

  /// Runs `body`, which gives how many were received and when the last one was.
  static func measure(
    sent: Int, _ body: () throws -> (received: Int, last: MonotonicTime)
  ) rethrows -> Self {
    let start = MonotonicTime.now
    let cpu = clinux_cpu_ns()
    let (received, last) = try body()
    let seconds = Double(last.nanoseconds - start.nanoseconds) / 1e9
    return Self(
      sent: sent, received: received, perSecond: Double(received) / seconds,
      cpuMicroseconds: Double(clinux_cpu_ns() - cpu) / 1e3 / Double(max(1, received)))
  }
}

/// What the rounds gave for one way.
struct Series {
  let title: String
  private var latencies: [[Int64]] = []
  private var rates: [Throughput] = []

  init(_ title: String) { self.title = title }

  mutating func add(_ latency: [Int64]?, _ throughput: Throughput) {
    if let latency { latencies.append(latency.sorted()) }
    rates.append(throughput)
  }

  private var perSecond: Double { median(rates.map(\.perSecond)) }
  private var cpu: Double { median(rates.map(\.cpuMicroseconds)) }

  private func latencyMS(_ share: Double) -> Double? {
    guard !latencies.isEmpty else { return nil }
    return median(latencies.map { Double($0[Int(Double($0.count - 1) * share)]) / 1e6 })
  }

  /// Prints the medians; where the floor was measured, too, how they compare with it.
  func report(against floor: Series?) {
    print("\n\(title)")
    func ratio(_ value: Double, to floor: Double?) -> String {
      floor.map { " (\(rounded(value / $0)) of the floor)" } ?? ""
    }
    let lost = rates.reduce(0) { $0 + $1.sent - $1.received }
    print(
      "  \(Int(perSecond)) messages/s\(ratio(perSecond, to: floor?.perSecond)), "
        + "\(rounded(cpu)) us of CPU a message\(ratio(cpu, to: floor?.cpu)), lost \(lost)")
    guard let p50 = latencyMS(0.5), let p99 = latencyMS(0.99) else { return }
    print(
      "  latency at \(BusHop.rateHz) Hz: p50 \(rounded(p50)) ms\(ratio(p50, to: floor?.latencyMS(0.5))), "
        + "p99 \(rounded(p99)) ms")
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}
