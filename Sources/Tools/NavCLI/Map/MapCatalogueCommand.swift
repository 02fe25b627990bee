import ArgumentParser
import Foundation
import Foundations
import RegionFiles
import Regions

/// `nav map catalogue FOLDER`.
struct MapCatalogueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalogue",
    abstract:
      "Write the regions.json of a folder of maps, so that it can serve as a source of regions.",
    discussion:
      "Stacks with a nav-regions node fetch missing regions from it; set their source to the folder or to its web address."
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
