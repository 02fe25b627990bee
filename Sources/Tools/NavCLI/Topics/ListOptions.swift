import ArgumentParser
import Watch

/// How lists of topics treat the topics of vehicles.
struct ListOptions: ParsableArguments {
  @Flag(help: "List each topic of each vehicle.")
  var expand = false

  @Flag(help: "Combine the topics of all vehicles, even if there are few.")
  var group = false

  func validate() throws {
    guard !expand || !group else {
      throw ValidationError("--expand and --group: give one of them.")
    }
  }

  /// The selection; programs that read JSON get each topic, unless they ask for groups.
  func selection(_ stack: StackOptions) throws -> TopicGroups {
    let standard: TopicGroups.Grouping = stack.json ? .single : .automatic
    return TopicGroups(
      group ? .grouped : expand ? .single : standard, vehicle: stack.givenVehicle)
  }
}
