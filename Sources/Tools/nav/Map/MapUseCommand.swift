import ArgumentParser
import RoadFile

/// `nav map use NEW PLACE`.
struct MapUseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "use",
    abstract: "Put a map in the place of a stack's; what runs goes over to it within seconds.",
    discussion: """
      NEW is verified, or built where it is OSM data, and renamed over PLACE: the .navmap that stack.yaml \
      names. Nodes load it beside the old one and miss no fix; nav node list shows maps_replaced.
      """)

  @Argument(help: "The map to use: a .navmap, an OSM file, or a folder of either.") var new: String
  @Argument(help: "The .navmap that the stack uses.") var place: String

  func run() throws {
    try MapOutput.reporting { () throws(RoadFileError) in
      let hash = try RoadFile.install(new, at: place)
      print("\(place): is now the map \(hash)")
    }
  }
}
