public import Broker
public import BusClient
import BusProtocol
import Foundation
import Messages
public import NodeKit
public import Stage
import ZMQ

/// A further service of the broker's process, as a node of its own bus.
///
/// All functions are called on the broker's thread and must not wait.
public protocol BrokerService: AnyObject {
  /// The parameters of the service.
  static var parameters: [ParameterDeclaration] { get }
  /// The calls that it serves.
  static var calls: [String] { get }

  /// Called once, when the endpoints are bound.
  ///
  /// - Throws: `StageFailure` if the parameters are invalid; the process ends.
  func start(_ broker: Broker, _ client: BusClient, _ parameters: Parameters, _ log: LogSink) throws

  /// Answers a call through the client, now or later.
  func serve(_ call: IncomingCall)

  /// Called when the broker has ended; blocks until everything is finished.
  func end()
}

/// The broker as a separate process: the program `nav-bus`.
public enum BrokerProcess {
  private static let ownParameters: [ParameterDeclaration] = [
    ParameterDeclaration(
      "events_keep_s", .double, default: 30, unit: "s", min: 1, max: 3_600,
      "Time for which events are kept for readers that missed some."),
    ParameterDeclaration(
      "events_memory_mib", .int, default: 64, unit: "MiB", min: 1, max: 4_096,
      "Maximum memory of these events."),
    ParameterDeclaration(
      "keep_states", .bool, default: true,
      "Whether to store the last values of states in a file in the stack's folder. A drive then continues even if the broker and a node were killed together."
    ),
  ]

  static func manifest(_ service: (any BrokerService.Type)?) -> Manifest {
    Manifest(
      name: "nav-bus", about: "The broker: all messages of the bus pass through it.",
      parameters: ownParameters + (service?.parameters ?? []), outputs: [NodeStatus.topic])
  }

  /// Runs until a signal, and exits; prints the manifest if `describes` is set.
  public static func run(
    describes: Bool = false, parametersPath: String? = nil, service: (any BrokerService)? = nil
  ) -> Never {
    let manifest = manifest(service.map { type(of: $0) })
    if describes {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      if let text = try? encoder.encode(manifest) {
        print(String(decoding: text, as: UTF8.self))
      }
      exit(NodeExit.success.rawValue)
    }
    do {
      let environment = try NodeEnvironment(program: "nav-bus", parametersPath: parametersPath)
      let parameters = try environment.parameters(declared: manifest.parameters)
      try serve(environment, parameters, service)
      exit(NodeExit.success.rawValue)
    } catch let failure as StageFailure {
      end(failure.message, .configuration)
    } catch let failure as BusAddress.Invalid {
      end(failure.description, .configuration)
    } catch let failure as BusError where failure.isAddressInUse {
      end(
        "\(failure): end the process that uses it, or set another address (bus: listen in the stack file)",
        .configuration)
    } catch {
      end("\(error)", .failure)
    }
  }

  private static func end(_ text: String, _ code: NodeExit) -> Never {
    FileHandle.standardError.write(Data("error: \(text)\n".utf8))
    exit(code.rawValue)
  }

  private static func serve(
    _ environment: NodeEnvironment, _ parameters: Parameters, _ service: (any BrokerService)?
  ) throws {
    let supervision = try Supervision(isSupervised: environment.isSupervised)
    try DescriptorLimit.raise()
    let notifier = Notifier(path: environment.notifySocket)
    let log = LogSink(node: environment.name, isSupervised: environment.isSupervised)
    let broker = Broker(
      Broker.Configuration(
        address: environment.bus, table: Contract.table,
        eventMS: Int64(parameters.double("events_keep_s") * 1_000),
        eventBytes: parameters.int("events_memory_mib") << 20,
        stateFile: environment.runFolder.flatMap {
          parameters.bool("keep_states") ? "\($0)/states" : nil
        }))
    var ownNode: BrokerNode?
    var refusal: (any Error)?
    var nextWatchdog = MonotonicTime.now
    try waitingForAddress {
      try broker.run(
        until: supervision.stop,
        whenBound: {
          log.write(.info, "bus \(environment.bus.base), run \(broker.run)")
          do {
            let own = try BrokerNode(environment)
            ownNode = own
            if let service {
              own.client.serve(type(of: service).calls)
              try service.start(broker, own.client, parameters, log)
            }
            notifier.ready()
          } catch {
            refusal = error
            supervision.stop.signal()
          }
        },
        onTurn: { figures in
          if supervision.isOrphaned { supervision.stop.signal() }
          if nextWatchdog <= .now {
            notifier.watchdog()
            nextWatchdog = MonotonicTime.now.advanced(byMS: environment.watchdogMS)
          }
          while case .call(let call)? = ownNode?.nextCall() { service?.serve(call) }
          guard ownNode?.isDue() == true else { return }
          ownNode?.publish(figures, log)
        })
    }
    notifier.stopping()
    log.write(.info, "stopping")
    service?.end()
    ownNode?.client.close()
    if let refusal { throw refusal }
  }

  /// Time in which the broker before this one may still be ending, in milliseconds.
  private static let addressMS: Int64 = 2_000

  /// Runs `body` again while another process has the address, for a short time.
  private static func waitingForAddress(_ body: () throws -> Void) throws {
    let end = MonotonicTime.now.advanced(byMS: addressMS)
    while true {
      do {
        return try body()
      } catch let failure as BusError where failure.isAddressInUse && end > .now {
        // The system reports no event when an address becomes free, and nothing else runs here yet.
        Thread.sleep(forTimeInterval: 0.1)
      }
    }
  }
}

/// The broker as a node of its own bus, which reports its status once per second.
private struct BrokerNode {
  let client: BusClient
  private let name: String
  private var process = ProcessFigures()
  private var nextAt = MonotonicTime.now
  private var lastCounters: [String: UInt64] = [:]

  init(_ environment: NodeEnvironment) throws(BusError) {
    name = environment.name
    client = try BusClient(
      BusClient.Configuration(
        address: environment.bus, name: environment.name, version: NodeVersion.text,
        table: Contract.table, publishes: [NodeStatus.topic]))
  }

  /// The next call; all other events are ignored.
  func nextCall() -> BusEvent? {
    while let event = client.next() {
      if case .call = event { return event }
    }
    return nil
  }

  mutating func isDue() -> Bool {
    guard nextAt <= .now else { return false }
    nextAt = MonotonicTime.now.advanced(byMS: 1_000)
    return true
  }

  mutating func publish(_ figures: Broker.Figures, _ log: LogSink) {
    for (reason, count) in figures.counters.sorted(by: { $0.key < $1.key })
    where count != lastCounters[reason] {
      log.write(.warning, kind: reason, "\(reason): \(count) in total")
    }
    lastCounters = figures.counters
    var counters = figures.counters.mapValues { Int64(clamping: $0) }
    counters["messages"] = Int64(clamping: figures.messages)
    counters["nodes"] = Int64(figures.nodes)
    counters["topics"] = Int64(figures.topics)
    let status = NodeStatus(
      node: name, program: "nav-bus", version: NodeVersion.text, state: .ready, pid: process.pid,
      run: client.configuration.run, uptimeS: process.uptimeS,
      memoryBytes: process.residentBytes, cpuFraction: process.measureCPUFraction(),
      counters: counters)
    _ = client.publish(
      Publication(
        topic: "_node/\(name)/status", stampNS: 0, schema: NodeStatus.schema,
        payload: status.encoded()))
  }
}
