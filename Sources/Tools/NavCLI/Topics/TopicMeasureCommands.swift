import ArgumentParser
import BusClient
import BusProtocol
import Foundation
import NodeKit
import Watch

/// `nav topic bw`: measures bandwidth by the broker's own counters.
struct TopicBandwidthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bw",
    abstract: "Measure messages and bytes per second, as counted in the broker.",
    discussion:
      "The topics of more than 5 vehicles are combined: */location/matched is that topic of all vehicles."
  )

  @Argument(help: "Topics or subtrees ending in /; default: all.")
  var topics: [String] = []

  @Option(help: "Seconds to count.")
  var seconds = 3.0

  @OptionGroup var lists: ListOptions

  @OptionGroup var stack: StackOptions

  struct Report: Encodable {
    var topic: String
    /// Number of vehicles with the topic; nil for a single topic.
    var vehicles: Int?
    var hz: Double
    var bytesPerSecond: Double
  }

  func run() throws {
    let client = try stack.connect()
    defer { client.close() }
    let patterns = try stack.patterns(topics, client)
    guard let before = client.topicReports() else { throw Problem("the broker does not answer") }
    let start = MonotonicTime.now
    // The duration of the measurement: rates are the difference of two reports.
    Thread.sleep(forTimeInterval: max(0.1, seconds))
    guard let after = client.topicReports() else { throw Problem("the broker does not answer") }
    let passed = Double(MonotonicTime.now.nanoseconds - start.nanoseconds) / 1e9
    let old = Dictionary(before.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let single = after.filter { topic in
      patterns.contains { TopicName.matches($0, topic.name) }
    }.map { topic in
      let then = old[topic.name]
      return Report(
        topic: topic.name,
        hz: Double(topic.messages - min(topic.messages, then?.messages ?? 0)) / passed,
        bytesPerSecond: Double(topic.bytes - min(topic.bytes, then?.bytes ?? 0)) / passed)
    }
    let reports = try lists.selection(stack).rows(single, name: \.topic) { name, rows in
      Report(
        topic: name, vehicles: rows.count, hz: rows.reduce(0) { $0 + $1.hz },
        bytesPerSecond: rows.reduce(0) { $0 + $1.bytesPerSecond })
    }
    let isGrouped = reports.contains { $0.vehicles != nil }
    let vehicles = { (text: String) in isGrouped ? [text] : [] }
    if !stack.json {
      print(Lines.columns(["topic"] + vehicles("vehicles") + ["messages/s", "KiB/s"]))
    }
    for report in reports.sorted(by: { $0.bytesPerSecond > $1.bytesPerSecond }) {
      print(
        stack.json
          ? try Lines.json(report)
          : Lines.columns(
            [report.topic] + vehicles(report.vehicles.map { "\($0)" } ?? "-") + [
              String(format: "%.2f", report.hz),
              String(format: "%.2f", report.bytesPerSecond / 1_024),
            ]))
    }
    if reports.isEmpty { throw ExitCode.failure }
  }
}

/// `nav topic delay`: measures the age of messages on arrival, by the machine's clock.
struct TopicDelayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delay",
    abstract:
      "Measure the time from publication to reception; between hosts it depends on their clocks.")

  @Argument(help: "Topic, with or without the vehicle.")
  var topic: String

  @Option(help: "Seconds to listen.")
  var seconds = 5.0

  @OptionGroup var stack: StackOptions

  struct Report: Encodable {
    var topic: String
    var messages: Int
    var p50Ms: Double
    var p99Ms: Double
    var maxMs: Double
    var lost: UInt64
  }

  func run() throws {
    let client = try stack.connect()
    defer { client.close() }
    let name = try stack.patterns([topic], client)[0]
    guard client.subscribe([name], waitingMS: 2000) else {
      throw Problem("the broker did not confirm the subscription")
    }
    // Reads both clocks at the same moment, to convert arrival times to the machine's time.
    let offsetNS = wallClockNS() - MonotonicTime.now.nanoseconds
    let end = MonotonicTime.now.advanced(byMS: TimeoutArgument.ms(seconds))
    var agesNS: [Int64] = []
    while end > .now {
      guard case .message(let delivery)? = client.next(waitingMS: 50),
        !delivery.header.isLatched, let sent = delivery.header.wallNS
      else { continue }
      agesNS.append(delivery.arrival.nanoseconds + offsetNS - sent)
    }
    guard !agesNS.isEmpty else {
      throw Problem("no message of \(name) with a publication time was received")
    }
    agesNS.sort()
    func share(_ share: Double) -> Double {
      Double(agesNS[min(agesNS.count - 1, Int(share * Double(agesNS.count)))]) / 1e6
    }
    let report = Report(
      topic: name, messages: agesNS.count, p50Ms: share(0.5), p99Ms: share(0.99),
      maxMs: share(1), lost: client.receptions.values.reduce(0) { $0 + $1.lost + $1.queueDrops })
    print(
      stack.json
        ? try Lines.json(report)
        : String(
          format: "%@  %d messages  age p50 %.2f  p99 %.2f  max %.2f ms  lost %llu", name,
          report.messages, report.p50Ms, report.p99Ms, report.maxMs, report.lost))
  }
}
