import DrawnMaps
import DynamicRoutingStage
import Foundation
import Foundations
import Fuzzing
import Geodesy
import LocationStage
import MatcherStage
import MessagePack
import Messages
import NavigatorStage
import RendererStage
import RoadFile
import RoadGraph
import RouterStage
import Stage
import TrafficStage
import VoiceStage

/// One stage of a stack, with its type forgotten.
protocol AnyBench: AnyObject {
  var manifest: Manifest { get }
  func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput]
  var savedState: [UInt8]? { get }
  func restore(_ state: [UInt8]) throws(Refusal)
  /// A stage at rest in place of this one.
  func renew()
}

final class Bench<S: Stage>: AnyBench {
  private let shared: S.Shared
  private var stage: S

  init(_ parameters: [String: ParameterValue]) throws {
    shared = try S.load(try Parameters(parameters, declared: S.manifest.parameters))
    stage = S(vehicle: "ego", shared: shared)
  }

  var manifest: Manifest { S.manifest }
  var savedState: [UInt8]? { stage.savedState }
  func renew() { stage = S(vehicle: "ego", shared: shared) }
  func restore(_ state: [UInt8]) throws(Refusal) { try stage.restore(state) }
  func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] { try stage.receive(event) }
}

/// All stages, on a town so small that a route takes microseconds, at the place of the examples.
struct Benches {
  let all: [any AnyBench]

  init() throws {
    let map = try DrawnMap(
      """
      a--b--c--d
      |  |     |
      e--f--g--h
      """,
      ways: [
        "ab": "highway=secondary name=High Street maxspeed=50",
        "bcd": "highway=primary name=High Street maxspeed=50",
        "ae": "highway=residential", "bf": "highway=residential oneway=yes",
        "efgh": "highway=secondary name=Long Lane maxspeed=70", "dh": "highway=residential",
      ], nodes: ["b": "highway=traffic_signals"], cell: 60,
      origin: Coordinate(latitudeDeg: 47.1, longitudeDeg: 9.499))
    let folder = FileManager.default.temporaryDirectory.path
    let path = "\(folder)/fuzz-\(ProcessInfo.processInfo.processIdentifier).navmap"
    try RoadFile.write(map.graph.columns, hash: 1, to: path)
    // The stages keep it mapped; nobody needs its name.
    defer { try? FileManager.default.removeItem(atPath: path) }
    let town: [String: ParameterValue] = ["map": .string(path)]
    all = [
      try Bench<LocationStage>(["source": .string("simulator"), "start_at": .string("47.1,9.4995")]
      ),
      try Bench<MatcherStage>(town), try Bench<RouterStage>(town),
      try Bench<NavigatorStage>([:]), try Bench<DynamicRoutingStage>([:]),
      try Bench<TrafficStage>(town), try Bench<VoiceStage>([:]), try Bench<RendererStage>(town),
    ]
  }
}

/// What stages say keeps the contract, whatever they were told.
enum Said {
  /// Performs work, and looks at what is published and answered; gives the calls that were made.
  static func check(
    _ outputs: [EncodedOutput], of stage: Manifest, asked: String? = nil
  ) throws(Broken) -> [(name: String, token: UInt64)] {
    var calls: [(name: String, token: UInt64)] = []
    for output in outputs {
      switch output {
      case .publish(let topic, _, let payload, _, _, _):
        guard let declaration = Topics.declaration(of: topic) else {
          throw Broken("\(stage.name) publishes on \(topic), which is no topic")
        }
        if !payload.isEmpty {
          try decodes(payload, declaration.message, "\(stage.name) publishes on \(topic)")
        }
      case .reply(_, .ok(let payload)):
        if let asked, let declaration = Calls.declaration(of: asked) {
          try decodes(payload, declaration.reply, "\(stage.name) answers \(asked)")
        }
      case .call(let name, let payload, _, let token):
        guard let declaration = Calls.declaration(of: name) else {
          throw Broken("\(stage.name) calls \(name), which is no call")
        }
        try decodes(payload, declaration.request, "\(stage.name) calls \(name)")
        calls.append((name, token))
      case .work(_, let body): calls += try check(body(), of: stage, asked: asked)
      default: break
      }
    }
    return calls
  }

  private static func decodes(
    _ payload: [UInt8], _ type: any StructMessage.Type, _ what: String
  ) throws(Broken) {
    do throws(DecodeError) {
      _ = try type.init(decoding: payload)
    } catch {
      throw Broken("\(what) what nobody can read: \(error.message)")
    }
  }
}
