import Foundation
import RoadFile
public import RoadGraph
import Stage
public import Traffic
import TrafficFeeds

/// The scenario and the feeds, placed on the map once and shared by all vehicles of a traffic node.
public struct TrafficShared: Sendable {
  let scenario: TrafficScenario
  /// For each event, the road segments on which it lies.
  let pieces: [[ScenarioPiece]]
  let graph: RoadGraph
  let speeds: [FlowReport]
  let beginsWithRoute: Bool
  let feeds: [LoadedFeed]
  /// Log lines for the start: events without a road, rows without an edge.
  let problems: [String]
  /// Events and rows of the speed table that lie on no road of the map.
  let unplaced: Int
  /// The stamp of the opened map file; nil for a folder of maps and for a map that was already
  /// open.
  private var mapStamp: FileStamp?

  /// Creates the shared part for an open map, for tests and embedding.
  public init(graph: RoadGraph, scenario: TrafficScenario, beginsWithRoute: Bool = true) {
    self.init(graph: graph, scenario: scenario, beginsWithRoute: beginsWithRoute, files: [])
  }

  /// Creates the shared part for a map; a feed whose file is broken keeps its content in `old`.
  init(
    graph: RoadGraph, scenario: TrafficScenario, speeds table: SpeedTable? = nil,
    beginsWithRoute: Bool, files: [FeedFile], replacing old: TrafficShared? = nil
  ) {
    self.graph = graph
    self.scenario = scenario
    self.beginsWithRoute = beginsWithRoute
    let index = SegmentIndex(graph)
    let isSame = old?.graph === graph && old?.scenario == scenario
    var placer = ScenarioPlacer(graph, index: index)
    let pieces = isSame ? old?.pieces ?? [] : placer.pieces(of: scenario.events)
    self.pieces = pieces
    feeds = files.map { file in
      let kept = old?.feeds.first { $0.name == file.feed }
      let isSameMap = old?.graph === graph
      do throws(FeedFault) {
        return LoadedFeed(file.feed, try file.read(), on: graph, index: index)
      } catch {
        let fault =
          "\(error); \(kept == nil ? "the feed is empty" : "the last valid one is used") until it can be read"
        guard let kept else {
          return LoadedFeed(file.feed, FeedDocument(), on: graph, index: index, fault: fault)
        }
        return isSameMap
          ? LoadedFeed(kept, fault: fault)
          : LoadedFeed(file.feed, kept.document, on: graph, index: index, fault: fault)
      }
    }
    let reports = table?.reports(on: graph)
    speeds = reports?.reports ?? []
    let lost = pieces.indices.filter { pieces[$0].isEmpty }
    unplaced = lost.count + (reports?.unused.count ?? 0)
    var problems: [String] = []
    if !lost.isEmpty {
      let first = lost.prefix(10).map(String.init).joined(separator: ", ")
      problems.append(
        "\(lost.count) of \(pieces.count) events of the scenario lie on no road of the map: \(first)"
          + (lost.count > 10 ? " …" : ""))
    }
    if let sentence = reports.flatMap({ SpeedTable.sentence(unused: $0.unused) }) {
      problems.append("speeds: \(sentence)")
    }
    self.problems = problems
  }

  /// Reads the files of the parameters.
  ///
  /// An unreadable feed file is not a failure, because another program may be about to write it: the feed keeps its content
  /// in `old` and records the reason.
  init(_ parameters: Parameters, replacing old: TrafficShared? = nil) throws(StageFailure) {
    let path = parameters.string("map") ?? ""
    let stamp = FileStamp(path)
    var graph = old.flatMap { $0.mapStamp != nil && $0.mapStamp == stamp ? $0.graph : nil }
    if graph == nil {
      do {
        graph = try RoadFile.open(path: path)
      } catch {
        throw StageFailure("map: \(error)")
      }
    }
    guard let graph else { throw StageFailure("map: \(path) cannot be read") }
    var scenario = TrafficScenario(feed: "scenario", events: [])
    if let path = parameters.string("scenario") { scenario = try ScenarioFile.read(path) }
    var table: SpeedTable?
    if let path = parameters.string("speeds") {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw StageFailure("speeds: \(path) cannot be read")
      }
      do {
        table = try SpeedTable(csv: String(decoding: data, as: UTF8.self))
      } catch {
        throw StageFailure("speeds: \(path): \(error)")
      }
    }
    self.init(
      graph: graph, scenario: scenario, speeds: table,
      beginsWithRoute: parameters.string("begin") == "route", files: Self.files(parameters),
      replacing: old)
    mapStamp = stamp
  }

  /// Returns the feed files of the parameters.
  static func files(_ parameters: Parameters) -> [FeedFile] {
    FeedFile.Format.allCases.compactMap { format in
      parameters.string(format.rawValue).map {
        FeedFile(format: format, path: $0, language: parameters.string("language"))
      }
    }
  }
}

/// Identifies the version of a file.
private struct FileStamp: Hashable {
  var number: UInt64
  var bytes: UInt64
  var modified: Date

  /// nil for a folder and for a missing file.
  init?(_ path: String) {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value,
      let bytes = (attributes[.size] as? NSNumber)?.uint64Value,
      let modified = attributes[.modificationDate] as? Date
    else { return nil }
    self.number = number
    self.bytes = bytes
    self.modified = modified
  }
}
