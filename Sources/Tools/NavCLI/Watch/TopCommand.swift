import ArgumentParser
import BusClient
import Foundation
import Watch

/// `nav top`: a live table of nodes and topics.
struct TopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top", abstract: "Show nodes and topics live: state, load, rates, losses.",
    discussion: """
      The topics of more than 5 vehicles are combined: */location/matched is that topic of all vehicles.
      Keys: q quits, s sorts by the next column, n shows nodes only, t topics only, again shows both,
      v switches between one row per topic of each vehicle and combined rows.
      In a pipe, or in a terminal without escape sequences, a new table is printed each second.
      """)

  @Flag(help: "Print one table after one second, and exit.")
  var once = false

  @OptionGroup var lists: ListOptions

  @OptionGroup var stack: StackOptions

  func run() throws {
    let client = try stack.connect()
    defer { client.close() }
    guard var watcher = StackWatcher(client), var earlier = watcher.picture() else {
      throw Problem("the broker does not answer")
    }
    let screen = once || stack.json ? nil : Screen()
    defer { screen?.leave() }
    var part = TopTable.Part.both
    var order = TopTable.Order.name
    var selection = try lists.selection(stack)
    while true {
      let key = wait(screen)
      switch key {
      case "q", "\u{3}": return
      case "s": order = order.next
      case "n": part = part == .nodes ? .both : .nodes
      case "t": part = part == .topics ? .both : .topics
      case "v": selection.grouping = selection.grouping == .grouped ? .single : .grouped
      default: break
      }
      guard let picture = watcher.picture() else { throw Problem("the broker does not answer") }
      var table = TopTable(picture, since: earlier, selection: selection)
      table.sort(by: order)
      try show(table, part, order, screen)
      if once { return }
      // A key changes the view, but does not shorten the interval.
      if key == nil { earlier = picture }
    }
  }

  /// Waits for a second, or for a key.
  private func wait(_ screen: Screen?) -> Character? {
    guard let screen else {
      // The second between two observations; there is no key to wait for.
      Thread.sleep(forTimeInterval: 1)
      return nil
    }
    return screen.key(withinMS: 1_000)
  }

  private struct Row: Encodable {
    var nodes: [TopTable.NodeRow]
    var topics: [TopTable.TopicRow]
  }

  private func show(
    _ table: TopTable, _ part: TopTable.Part, _ order: TopTable.Order, _ screen: Screen?
  ) throws {
    if stack.json {
      print(try Lines.json(Row(nodes: table.nodes, topics: table.topics)))
      fflush(nil)
    } else if let screen {
      let size = screen.size
      let head = TopTable.Line(
        text: "sorted by \(order.rawValue)   q quit  s sort  n nodes  t topics  v vehicles",
        tone: .plain)
      screen.draw([head] + table.lines(part, width: size.columns, height: size.rows - 1))
    } else {
      for line in table.lines(part) { print(line.text) }
      if !once { print() }
      fflush(nil)
    }
  }
}
