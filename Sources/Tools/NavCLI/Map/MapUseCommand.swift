import ArgumentParser
import RoadFile

/// `nav map use NEW PLACE`.
struct MapUseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "use",
    abstract: "Replace the map of a stack; running nodes switch to it within seconds.",
    discussion: """
      NEW is verified, or built if it is OSM data, and renamed to PLACE: the .navmap that stack.yaml \
      names. Nodes load it in the background and lose no fix; nav node list shows maps_replaced.
      """)

  @Argument(help: "The map to use: a .navmap, an OSM file, or a folder of either.") var new: String
  @Argument(help: "The .navmap that the stack uses.") var place: String

  func run() throws {
    try MapOutput.reporting { () throws(RoadFileError) in
      let hash = try RoadFile.install(new, at: place)
      print("\(place) is now the map \(hash)")
    }
  }
}
