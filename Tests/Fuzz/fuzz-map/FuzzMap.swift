import ArgumentParser
import Fuzzing

/// Spoils what a map is made of and what it is stored in: map files, OSM files, hours, conditions, lines; and feeds of incidents.
@main struct FuzzMap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fuzz-map",
    abstract: "Gives spoilt map files, OSM data, hours, polylines and feeds to their readers."
  )

  @OptionGroup var options: FuzzOptions

  func run() throws {
    try options.run([
      MapFileTarget.self, OSMFileTarget.self, HoursTarget.self, ConditionTarget.self,
      PolylineTarget.self, FeedTarget.self,
    ])
  }
}
