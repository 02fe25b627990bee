import ArgumentParser
import BusClient
import BusProtocol
import Foundation

/// `nav topic hz`: measures message rates and losses.
struct TopicRateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hz",
    abstract: "Measure the rate of a topic by the machine's clock.")

  @Argument(help: "Topic, with or without the vehicle.")
  var topic: String

  @Option(help: "Seconds to listen.")
  var seconds = 5.0

  @OptionGroup var stack: StackOptions

  struct Report: Encodable {
    var topic: String
    var messages: Int
    var hz: Double
    var minMs: Double?
    var maxMs: Double?
    var lost: UInt64
  }

  func run() throws {
    let client = try stack.connect()
    defer { client.close() }
    let name = try stack.patterns([topic], client)[0]
    guard client.subscribe([name], waitingMS: 2000) else {
      throw Problem("the broker did not confirm the subscription")
    }
    let end = MonotonicTime.now.advanced(byMS: TimeoutArgument.ms(seconds))
    var arrivals: [MonotonicTime] = []
    while end > .now {
      guard case .message(let delivery)? = client.next(waitingMS: 50),
        !delivery.header.isLatched
      else { continue }
      arrivals.append(delivery.arrival)
    }
    let gaps = zip(arrivals.dropFirst(), arrivals).map { Double($0.milliseconds(since: $1)) }
    let report = Report(
      topic: name, messages: arrivals.count, hz: Double(arrivals.count) / seconds,
      minMs: gaps.min(), maxMs: gaps.max(),
      lost: client.receptions.values.reduce(0) { $0 + $1.lost })
    if stack.json {
      print(try Lines.json(report))
    } else {
      print(
        String(
          format: "%@  %.2f Hz  min %.0f ms  max %.0f ms  lost %llu", name, report.hz,
          report.minMs ?? 0, report.maxMs ?? 0, report.lost))
    }
    if arrivals.isEmpty { throw ExitCode.failure }
  }
}
