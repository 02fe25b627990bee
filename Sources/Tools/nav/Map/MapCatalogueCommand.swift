import ArgumentParser
import EventTime
import Foundation
import RegionFiles
import Regions

/// `nav map catalogue FOLDER`.
struct MapCatalogueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalogue",
    abstract: "Make a folder of maps a source of regions: write its regions.json.",
    discussion:
      "Stacks with a nav-regions node fetch from it what they miss: give them the folder, or its address on a web server."
  )

  @Argument(help: "A folder of .navmap files.") var folder: String

  func run() throws {
    do throws(RegionFault) {
      let catalogue = try CatalogueMaking.write(folder) { name in
        FileHandle.standardError.write(Data("\(name) …\n".utf8))
      }
      for region in catalogue.regions {
        let time = region.dataTime.map { TimeText.utc($0) } ?? "unknown date"
        print("\(region.name): \(MapOutput.megabytes(region.bytes)), data of \(time)")
      }
    } catch {
      FileHandle.standardError.write(Data("nav: \(error)\n".utf8))
      throw ExitCode.failure
    }
  }
}
