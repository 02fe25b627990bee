import ArgumentParser
import Foundation
import Geodesy
import RoadFile
import RoadGraph
import TrafficFeeds

/// `nav map edges MAP`: the directed edges of a map as GeoJSON features, one per line.
struct MapEdgesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edges",
    abstract: "Print the directed edges of a map, one GeoJSON feature per line.",
    discussion: """
      Each line is a LineString with the properties edge, twin (the opposite direction, or null), tail and head (nodes \
      of the graph), way, from and to (OSM ids), class, link, form (form of way of OpenLR), one_way, motor (whether motor \
      vehicles may use it) and length_m. The format is GeoJSON text sequences without record separators.
      """)

  @Argument(help: "A .navmap or OSM file.") var map: String
  @Flag(help: "Only edges that motor vehicles may use.") var motor = false

  func run() throws {
    try MapOutput.reporting { () throws(RoadFileError) in
      let graph = try RoadFile.open(path: map)
      var text = ""
      for number in 0..<graph.edgeCount {
        let edge = EdgeID(number)
        let isMotor = FeedPlacer.isForMotorVehicles(edge, graph)
        if isMotor || !motor { Self.append(edge, graph, isMotor: isMotor, to: &text) }
        if text.utf8.count > 1 << 20 {
          FileHandle.standardOutput.write(Data(text.utf8))
          text = ""
        }
      }
      FileHandle.standardOutput.write(Data(text.utf8))
    }
  }

  private static func append(
    _ edge: EdgeID, _ graph: RoadGraph, isMotor: Bool, to text: inout String
  ) {
    let (road, reference) = (graph.attributes(edge), graph.reference(edge))
    text += "{\"type\":\"Feature\",\"properties\":{\"edge\":\(edge.rawValue),\"twin\":"
    text += graph.twin(edge).map { "\($0.rawValue)" } ?? "null"
    text += ",\"tail\":\(graph.tail(edge).rawValue),\"head\":\(graph.head(edge).rawValue)"
    text += ",\"way\":\(reference.way),\"from\":\(reference.from),\"to\":\(reference.to)"
    text += ",\"class\":\"\(road.roadClass.word)\",\"link\":\(road.flags.contains(.link))"
    text += ",\"form\":\"\(OpenLRFormOfWay(of: road).word)\""
    text += ",\"one_way\":\(road.flags.contains(.oneWay)),\"motor\":\(isMotor)"
    text += ",\"length_m\":\(graph.lengthM(edge))},"
    text += "\"geometry\":{\"type\":\"LineString\",\"coordinates\":["
    var isFirst = true
    graph.forEachPoint(edge) { point in
      text += "\(isFirst ? "" : ",")[\(point.longitudeDeg),\(point.latitudeDeg)]"
      isFirst = false
    }
    text += "]}}\n"
  }
}
