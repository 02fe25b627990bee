import BusProtocol

/// Selects topics for a table, and puts the topics of many vehicles together.
///
/// Thousands of vehicles would give thousands of equal lines. A group has the name `*/location/matched`
/// and stands for that topic of all vehicles.
public struct TopicGroups: Sendable {
  public enum Grouping: Sendable {
    /// Grouped if there are more than `mostSingleVehicles`.
    case automatic
    case grouped
    case single
  }

  /// Maximum number of vehicles that are listed singly: their table still fits on a screen.
  public static let mostSingleVehicles = 5

  public var grouping: Grouping
  /// Only topics of vehicles with this name, in which `*` stands for any characters; nil for all topics.
  public var vehicle: String?

  public init(_ grouping: Grouping = .automatic, vehicle: String? = nil) {
    self.grouping = grouping
    self.vehicle = vehicle
  }

  /// Returns the rows of the selected topics.
  ///
  /// `merge` makes one row of the rows of several vehicles, which share the topic `*/…`. The rows come
  /// in the order of their names.
  public func rows<Row>(
    _ all: [Row], name: (Row) -> String, merge: (_ name: String, _ rows: [Row]) -> Row
  ) -> [Row] {
    let selected = all.filter { row in
      guard let pattern = vehicle else { return true }
      return TopicName.split(name(row)).vehicle.map { Self.matches(pattern, $0) } ?? false
    }
    let vehicles = Set(selected.compactMap { TopicName.split(name($0)).vehicle })
    let isGrouped =
      switch grouping {
      case .automatic: vehicles.count > Self.mostSingleVehicles
      case .grouped: true
      case .single: false
      }
    guard isGrouped else { return selected.sorted { name($0) < name($1) } }
    var rows: [Row] = []
    var byLeaf: [String: [Row]] = [:]
    for row in selected {
      let (owner, leaf) = TopicName.split(name(row))
      if owner == nil { rows.append(row) } else { byLeaf[leaf, default: []].append(row) }
    }
    for (leaf, members) in byLeaf {
      rows += members.count == 1 ? members : [merge("*/\(leaf)", members)]
    }
    return rows.sorted { name($0) < name($1) }
  }

  /// Whether a name matches a pattern with any number of `*`.
  static func matches(_ pattern: String, _ name: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
      return pattern == name
    }
    guard name.hasPrefix(first), name.count >= first.count + last.count, name.hasSuffix(last)
    else { return false }
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  /// Names the nodes of a group: `matcher`, `matcher.* (4)`, or `12 nodes`.
  public static func nodes(_ names: some Sequence<String>) -> String {
    let names = Set(names.filter { !$0.isEmpty }).sorted(by: StackSnapshot.isBefore)
    guard names.count > 1 else { return names.first ?? "" }
    let stems = Set(
      names.map { name in
        name.lastIndex(of: ".").map { String(name[..<$0]) }.flatMap {
          StackSnapshot.isReplica(name, of: $0) ? $0 : nil
        }
      })
    if stems.count == 1, let stem = stems.first ?? nil { return "\(stem).* (\(names.count))" }
    return names.count <= 3 ? names.joined(separator: ",") : "\(names.count) nodes"
  }
}
