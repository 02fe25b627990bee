import ArgumentParser
import Fuzzing

/// Spoils what a map is made of and what it is stored in: map files, OSM files, hours, conditions, lines.
@main struct FuzzMap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz-map",
    abstract: "Gives spoilt map files, OSM data, opening hours and polylines to whoever reads them."
  )

  @OptionGroup var options: FuzzOptions

  func run() throws {
    try options.run([
      MapFileTarget.self, OSMFileTarget.self, HoursTarget.self, ConditionTarget.self,
      PolylineTarget.self,
    ])
  }
}
