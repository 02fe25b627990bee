import ArgumentParser
import Foundation
import Geodesy
import RoadFile

/// `nav map cut MAP -o OUT --box … | --corridor FILE`.
struct MapCutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cut", abstract: "Cut a box, or a corridor along a line, out of a map.")

  @Argument(help: "A .navmap or any OSM file.") var map: String
  @Option(name: .shortAndLong, help: "The map to write.") var output: String
  @Option(help: "South,west,north,east in degrees.") var box: String?
  @Option(help: "A file of places, one \"lat,lon\" per line; roads along this line are kept.")
  var corridor: String?
  @Option(help: "Metres on each side of the corridor's line.") var width = 1000.0
  @Flag(help: "Print the report as JSON.") var json = false

  func validate() throws {
    if (box == nil) == (corridor == nil) {
      throw ValidationError("give either --box or --corridor")
    }
    if !(width.isFinite && width >= 0 && width <= 1e6) {
      throw ValidationError("--width must be 0 to 1000000 metres")
    }
    if let box, NegativeArguments.numbers(box)?.count != 4 {
      throw ValidationError("--box must be south,west,north,east, not \"\(box)\"")
    }
  }

  func run() throws {
    let cut = try self.cut()
    try MapOutput.reporting { () throws(RoadFileError) in
      let report = try RoadFile.cut(map, cut, to: output)
      print(json ? MapOutput.json(report) : MapBuildCommand.text(report))
    }
  }

  private func cut() throws -> MapCut {
    if let box, let n = NegativeArguments.numbers(box), n.count == 4 {
      guard n[0] <= n[2], n[1] <= n[3] else {
        throw ValidationError("--box: south must be less than north, and west less than east")
      }
      return .box(BoundingBox(southDeg: n[0], westDeg: n[1], northDeg: n[2], eastDeg: n[3]))
    }
    let file = corridor ?? ""
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw ValidationError("\(file): cannot be read")
    }
    var line: [Coordinate] = []
    for (index, row) in text.split(whereSeparator: \.isNewline).enumerated() {
      guard let n = NegativeArguments.numbers(String(row)), n.count == 2 else {
        throw ValidationError("\(file), line \(index + 1): expected lat,lon, found \"\(row)\"")
      }
      let place = Coordinate(latitudeDeg: n[0], longitudeDeg: n[1])
      guard place.isValid else {
        throw ValidationError(
          "\(file), line \(index + 1): the coordinates are outside the valid range")
      }
      line.append(place)
    }
    guard !line.isEmpty else { throw ValidationError("\(file): contains no places") }
    return .corridor(line, widthM: width)
  }
}
