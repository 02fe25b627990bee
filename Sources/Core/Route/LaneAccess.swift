public import RoadGraph

/// The arrows on the lanes of a road, by its `turn:lanes` tag.
public enum LaneArrows {
  /// The words of the arrows of each lane, from left to right; empty if a lane has none.
  ///
  /// Linear in the text.
  public static func words(_ text: String) -> [[String]] {
    guard !text.isEmpty else { return [] }
    return text.split(separator: "|", omittingEmptySubsequences: false).map { lane in
      lane.split(separator: ";").map(String.init).filter { $0 != "none" }
    }
  }
}

/// The exclusive users of the lanes of a road, by its `:lanes` tags.
public enum LaneAccess {
  private static let words = ["bus", "psv", "taxi", "hov", "bicycle", "hgv"]

  /// The exclusive users of each of `count` lanes, from left to right; empty for lanes open to all.
  public static func words(_ road: RoadAttributes, _ graph: RoadGraph, count: Int) -> [[String]] {
    guard !road.laneDetails.isEmpty else { return Array(repeating: [], count: count) }
    var values: [String: [Substring]] = [:]
    for line in graph.text(road.laneDetails).split(separator: "\n") {
      guard let equals = line.firstIndex(of: "="), let end = line.range(of: ":lanes") else {
        continue
      }
      values[String(line[..<end])] = line[line.index(after: equals)...]
        .split(separator: "|", omittingEmptySubsequences: false)
    }
    func value(_ key: String, _ lane: Int) -> Substring? {
      guard let all = values[key], lane < all.count else { return nil }
      return all[lane]
    }
    return (0..<count).map { lane in
      let isClosed = ["access", "vehicle", "motor_vehicle"].contains { value($0, lane) == "no" }
      return words.filter { word in
        let said = value(word, lane)
        return said == "designated" || (isClosed && said == "yes")
      }
    }
  }

  /// Whether a traveller by `mode` may use a lane with exclusive users.
  public static func lets(_ mode: TravelMode, use words: [String]) -> Bool {
    guard !words.isEmpty else { return true }
    let own =
      switch mode {
      case .bus: ["bus", "psv"]
      case .taxi: ["taxi", "psv"]
      case .bicycle: ["bicycle"]
      case .truck: ["hgv"]
      case .car, .scooter, .pedestrian: [String]()
      }
    return words.contains { own.contains($0) }
  }
}

extension Substring {
  // The start of a word, without Foundation.
  fileprivate func range(of word: String) -> Index? {
    indices.first { self[$0...].hasPrefix(word) }
  }
}
