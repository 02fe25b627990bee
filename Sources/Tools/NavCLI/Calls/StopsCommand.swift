import ArgumentParser
import Messages

/// `nav stops INDEX…`: changes the order of the remaining stops.
struct StopsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stops", abstract: "Change the order of the remaining stops.",
    discussion: """
      A stop is given by its position in the list with which the trip began: 1 is the first of `nav go`. Stops that are \
      not listed follow in their present order; stops that were reached stay reached.
      """)

  @Argument(help: "Positions of the stops in the list, the next one first.")
  var stops: [Int64]

  @OptionGroup var stack: StackOptions

  func run() throws {
    guard !stops.isEmpty else {
      throw ValidationError("Which stops? `nav stops 3 1` drives to stop 3 first.")
    }
    let reply: NavigateOrderWaypointsReply = try stack.ask(
      NavigateOrderWaypointsRequest(stops: stops))
    print(stack.json ? try Lines.json(["route_id": reply.routeId]) : reply.routeId)
  }
}
