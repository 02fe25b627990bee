import ArgumentParser
import NodeKit
import RoadFile

/// The umbrella command: all tools for stacks, maps, routes and traces that are not separate
/// processes.
struct Nav: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nav",
    abstract: "Inspect a running stack, and work with maps, routes and traces.",
    version: "nav \(NodeVersion.line), map format \(RoadFile.formatVersion)",
    subcommands: [
      WhyCommand.self, TopCommand.self, GraphCommand.self, TopicCommand.self, TraceCommand.self,
      NodeCommand.self, CallCommand.self, SwapCommand.self, ScaleCommand.self, RecCommand.self,
      FoxgloveCommand.self, PlayCommand.self, DiffCommand.self, GoCommand.self, StopsCommand.self,
      DriveCommand.self, SnapshotCommand.self, FilmCommand.self,
      MapCommand.self, RouteCommand.self, MatchCommand.self, PlaceCommand.self, OpenLRCommand.self,
      BenchCommand.self,
    ])
}

/// The entry of the program `nav`.
public enum NavProgram {
  /// Runs the command that the arguments name, the program's own name excluded, and exits if it
  /// fails.
  public static func run(_ arguments: [String]) {
    Nav.main(NegativeArguments.readable(MatchCommand.completed(arguments)))
  }
}
