import DrawnMaps
import Foundations
import Fuzzing
import Geodesy
import Messages
import OSRMService
import RouteWire
import RouterStage
import Stage

/// Answers of other engines and GPX files that are imported: a route comes of them, or a word for
/// what is wrong.
struct EngineAnswerTarget: FuzzTarget {
  static let name = "import"
  static let about = "answers of OSRM and Valhalla, GPX files and lines that are imported"
  static let inputsOfOneLife: Int? = 256

  private var stage: RouterStage
  private let good: [[UInt8]]
  private var count = 0

  init(_ corpus: Corpus) throws {
    let map = try DrawnMap("a--b--c", ways: ["abc": "highway=primary name=High Street"])
    let shared = RouterShared(graph: map.graph)
    stage = RouterStage(vehicle: "ego", shared: shared)
    let handler = OSRMRequestHandler(shared: shared, vehicle: "ego")
    let places = try "ac".map { try map.coordinate($0) }
    let ends = places.map { "\($0.longitudeDeg),\($0.latitudeDeg)" }.joined(separator: ";")
    let points = places.map {
      "<trkpt lat=\"\($0.latitudeDeg)\" lon=\"\($0.longitudeDeg)\"/>"
    }.joined()
    good = [
      handler.response(
        to: Array("/route/v1/driving/\(ends)?steps=true&geometries=polyline6".utf8),
        now: Instant(seconds: 1)
      ).json,
      Array(
        "{\"trip\":{\"legs\":[{\"shape\":\"_izlhA~rlgdF_seK~hsB\"}],\"summary\":{\"time\":1}}}".utf8
      ),
      Array("<gpx version=\"1.1\"><trk><trkseg>\(points)</trkseg></trk></gpx>".utf8),
      Array("_izlhA~rlgdF_seK~hsB".utf8),
    ]
  }

  /// The first byte tells what it is given as.
  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    let kind = dice.below(good.count)
    var bytes = good[kind]
    if !dice.oneIn(16) { ByteMutation.spoil(&bytes, with: good, &dice, longest: 8192) }
    return [[UInt8(kind)], bytes]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    let text = String(decoding: input.last ?? [], as: UTF8.self)
    var request = RouteImportRequest(segments: [], mode: .car, language: "en-US")
    switch input.first?.first {
    case 0: request.osrm = text
    case 1: request.valhalla = text
    case 2: request.gpx = text
    default: request.line = text
    }
    count += 1
    let call = EncodedCall(
      id: "c\(count)", name: "route/import", stamp: Instant(seconds: 1),
      payload: request.encoded())
    guard let outputs = try? stage.receive(.call(call)) else { return "does not decode" }
    for case .work(_, let body) in outputs {
      for case .reply(_, let outcome) in body() {
        switch outcome {
        case .ok(let payload):
          try promise((try? RouteImportReply(decoding: payload)) != nil, "its reply is none")
          return "ok"
        case .failed(let error):
          try promise(!error.message.isEmpty, "\(error.code) without a sentence")
          return error.code
        }
      }
    }
    throw Broken("no reply")
  }
}
