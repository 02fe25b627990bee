import ArgumentParser
import NodeKit
import RoadFile

/// The umbrella command: all tools for stacks, maps, routes and traces that are not separate
/// processes.
@main
struct Nav: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nav",
    abstract: "Inspect a running stack, and work with maps, routes and traces.",
    version: "nav \(NodeVersion.line), map format \(RoadFile.formatVersion)",
    subcommands: [
      WhyCommand.self, TopCommand.self, GraphCommand.self, TopicCommand.self, TraceCommand.self,
      NodeCommand.self, CallCommand.self, SwapCommand.self, ScaleCommand.self, RecCommand.self,
      FoxgloveCommand.self, PlayCommand.self, DiffCommand.self, GoCommand.self, StopsCommand.self,
      DriveCommand.self,
      MapCommand.self, RouteCommand.self, MatchCommand.self, PlaceCommand.self, OpenLRCommand.self,
      BenchCommand.self,
    ])

  static func main() {
    main(
      NegativeArguments.readable(
        MatchCommand.completed(Array(CommandLine.arguments.dropFirst()))))
  }
}
