import ArgumentParser
import Foundation
import Foundations
import Positioning
import RoadGraph
import Route
import Routing
import Traffic

/// Size and load of the vehicle, from the options of `nav route`.
struct VehicleOptions: ParsableArguments {
  @Option(help: "Height of the vehicle, m.") var height = 0.0
  @Option(help: "Width of the vehicle, m.") var width = 0.0
  @Option(help: "Length of the vehicle, trailers included, m.") var length = 0.0
  @Option(help: "Weight of the vehicle, trailers included, t.") var weight = 0.0
  @Option(help: "Maximum load of one axle, t.") var axleLoad = 0.0
  @Option(help: "Number of axles.") var axles = 0
  @Option(help: "Number of trailers.") var trailers = 0
  @Flag(help: "The vehicle carries hazardous goods.") var hazardousGoods = false

  var size: VehicleSize {
    VehicleSize(
      heightM: height, widthM: width, lengthM: length, weightT: weight, axleLoadT: axleLoad,
      carriesHazardousGoods: hazardousGoods, axles: axles, trailers: trailers)
  }
}

extension RouteCommand {
  /// The departure from `--depart`: ISO 8601, or `now`.
  func departure() throws(RouteCommandFault) -> Instant? {
    guard let depart else { return nil }
    if depart == "now" { return Instant(seconds: Date().timeIntervalSince1970.rounded(.down)) }
    guard let moment = TimeText.iso8601(depart) else {
      throw RouteCommandFault(
        "--depart \(depart) is not a time; write 2026-06-01T08:00:00+02:00, or now")
    }
    return moment
  }

  /// The map with its rules for the vehicle at the departure; without one, with those that need no
  /// clock.
  func atDeparture(
    _ rules: RuleBook, _ request: RouteRequest
  ) throws(RouteCommandFault) -> RoadGraph {
    let moment = rules.moment(at: request.departure, request.vehicle.circumstances)
    guard !moment.isUsual else { return rules.graph }
    do throws(GraphFault) {
      return try rules.graph(at: moment)
    } catch {
      throw RouteCommandFault("\(map): \(error)")
    }
  }

  /// A note about rules that only hold at certain times, if the time is not given; nil for none.
  static func unjudged(
    _ path: FoundPath, _ rules: RuleBook, _ request: RouteRequest
  ) -> String? {
    guard request.departure == nil else { return nil }
    let edges = path.legs.flatMap(\.edges)
    let circumstances = request.vehicle.circumstances
    let bound = rules.undecided(edges, request.mode, at: nil, circumstances)
    let turns = rules.undecidedTurns(edges, request.mode, at: nil, circumstances)
    var places: [String] = []
    if !bound.isEmpty {
      let lengthM = bound.reduce(0) { $0 + rules.graph.lengthM($1) }
      places.append("on \(Int(lengthM.rounded())) m")
    }
    if turns > 0 { places.append("at \(turns) \(turns == 1 ? "turn" : "turns")") }
    guard !places.isEmpty else { return nil }
    return
      "\(places.joined(separator: " and ")) of the route, time-dependent rules exist; without --depart they are ignored"
  }

  /// Traffic from `--speeds` and `--typical`; nil if neither is given.
  func counted(
    _ graph: RoadGraph, _ request: RouteRequest
  ) throws(RouteCommandFault) -> (
    view: TrafficView, reports: TrafficReports, typical: PlacedSpeeds?
  )? {
    guard speeds != nil || typical != nil else { return nil }
    let moment = request.departure ?? Instant(nanoseconds: 0)
    let index = SegmentIndex(graph)
    var reports = TrafficReports()
    if let speeds {
      let csv = try text(speeds, "--speeds")
      do throws(SpeedTableFault) {
        let table = try SpeedTable(csv: csv)
        let found = table.reports(on: graph)
        if let sentence = SpeedTable.sentence(unused: found.unused) {
          FileHandle.standardError.write(Data("nav: \(speeds): \(sentence)\n".utf8))
        }
        reports.set(FlowSnapshot(feed: "speeds", observed: moment, reports: found.reports))
      } catch {
        throw RouteCommandFault("\(speeds): \(error)")
      }
    }
    var view = reports.view(at: moment, index: index, graph: graph)
    var usual: PlacedSpeeds?
    if let typical {
      guard request.departure != nil else {
        throw RouteCommandFault(
          "--typical needs --depart, because typical speeds depend on the time")
      }
      let csv = try text(typical, "--typical")
      do throws(TypicalSpeedsFault) {
        let placed = try TypicalSpeeds(csv: csv).placed(on: graph, index: index)
        if let sentence = placed.unusedSentence {
          FileHandle.standardError.write(Data("nav: \(typical): \(sentence)\n".utf8))
        }
        placed.fill(&view, at: moment)
        usual = placed
      } catch {
        throw RouteCommandFault("\(typical): \(error)")
      }
    }
    return (view, reports, usual)
  }

  private func text(_ path: String, _ option: String) throws(RouteCommandFault) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw RouteCommandFault("\(option) \(path): cannot be read")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
