import BusClient
import BusProtocol
import Foundation
import MessagePack
import Messages

/// A topic of the command line, as the bus names it: with its vehicle, and checked.
struct TopicPattern {
  /// A whole name, a subtree that ends in `/`, `*/topic` for every vehicle, or "" for all topics.
  let text: String

  /// Reads `name`: the vehicle is added to topics of the contract, and to others that `published`
  /// contains only with it.
  ///
  /// - Throws: `Problem` if no topic can have this name.
  init(_ name: String, vehicle: String, published: [String]) throws {
    if let fault = Self.fault(of: name) { throw Problem("\"\(name)\" is not a topic: \(fault)") }
    guard !name.isEmpty, !name.hasPrefix("_"), !name.hasPrefix("*") else {
      text = name
      return
    }
    let full = "\(vehicle)/\(name)"
    let isDeclared = Topics.all.contains {
      $0.matches(name) || (name.hasSuffix("/") && $0.name.hasPrefix(name))
    }
    let isOwn =
      !published.contains { TopicName.matches(name, $0) }
      && published.contains { TopicName.matches(full, $0) }
    text = isDeclared || isOwn ? full : name
  }

  /// Why no topic can have a name; nil if it is possible.
  static func fault(of name: String) -> String? {
    let isOfEveryVehicle = name.hasPrefix("*/")
    var rest = isOfEveryVehicle ? name.dropFirst(2) : name[...]
    guard !rest.contains("*"), !(isOfEveryVehicle && rest.hasSuffix("/")) else {
      return "* stands only for every vehicle before one topic, as in */location/matched; "
        + "a subtree ends in /, as in ego/"
    }
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    let isPossible =
      rest.isEmpty
      ? !isOfEveryVehicle : TopicName.isValid(rest.hasPrefix("_") ? "\(rest)" : "v/\(rest)")
    return isPossible ? nil : "it consists of parts of a-z 0-9 . _ - with / between them"
  }

  /// A note for a topic on which nothing has been published; nil for any other.
  func absence(among published: [String]) -> String? {
    guard !text.isEmpty, !published.contains(where: { TopicName.matches(text, $0) }) else {
      return nil
    }
    let absent = "nothing has been published on \(text) yet"
    let (vehicle, leaf) = TopicName.split(text)
    if let vehicle, Topics.declaration(of: leaf) != nil {
      let others = Set(
        published.filter { TopicName.split($0).leaf == leaf }.compactMap {
          TopicName.split($0).vehicle
        })
      guard let other = others.min() else { return absent }
      return
        "\(absent); \(others.count == 1 ? other : "\(others.count) vehicles, such as \(other),") "
        + "\(others.count == 1 ? "has" : "have") \(leaf) (--vehicle \(other)), not \(vehicle)"
    }
    let known =
      published + Topics.all.map { vehicle == nil ? $0.name : "\(vehicle ?? "")/\($0.name)" }
    let near = Suggestion.nearest(to: text, among: known)
    return "\(absent), and the contract has no such topic"
      + (near.map { "; did you mean \($0)?" } ?? "; nav topic list shows the topics")
  }
}

extension StackOptions {
  /// The patterns of topics on the command line; reports those without any message on standard error.
  ///
  /// - Throws: `Problem` if no topic can have one of the names.
  func patterns(_ names: [String], _ client: BusClient) throws -> [String] {
    // Names that cannot exist are refused before the broker is asked.
    for name in names { _ = try TopicPattern(name, vehicle: vehicle, published: []) }
    let published = names.isEmpty ? [] : (client.topicReports() ?? []).map(\.name)
    return try (names.isEmpty ? [""] : names).map { name in
      let pattern = try TopicPattern(name, vehicle: vehicle, published: published)
      if let absence = pattern.absence(among: published) {
        FileHandle.standardError.write(Data("note: \(absence)\n".utf8))
      }
      return pattern.text
    }
  }
}
