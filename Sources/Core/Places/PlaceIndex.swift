public import Geodesy
public import RoadGraph

/// A place found by a search.
public struct FoundPlace: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case place
    case road
    case crossing
    case coordinates
  }

  public var name: String
  public var kind: Kind
  /// The kind of place in OSM tags, or the class of a road.
  public var detail: String
  public var coordinate: Coordinate
  /// Distance from the search position, or from the line of the search, in metres; nil if neither
  /// was given.
  public var distanceM: Double?
  /// Metres from the start of the line of the search; nil without one.
  public var alongM: Double?
}

/// Finds places of a map by name, by crossing, and by coordinates, RT-20.
///
/// It contains each distinct name once. Creating it takes n log n in edges and places, and each
/// search examines every name.
public struct PlaceIndex: Sendable {
  /// A name of roads or of places, and where it is found: `members` of the index.
  struct Name: Sendable {
    var text: TextID
    var words: [[UInt8]]
    var isRoad: Bool
    var members: Range<Int>
  }

  let graph: RoadGraph
  let names: [Name]
  /// Edges for roads, indices of places for places.
  let members: [UInt32]

  public init(_ graph: RoadGraph) {
    self.graph = graph
    var pairs: [(text: UInt32, isRoad: Bool, member: UInt32)] = []
    for index in 0..<graph.edgeCount {
      let road = graph.attributes(EdgeID(index))
      // One direction of a two-way road represents both.
      if let twin = graph.twin(EdgeID(index)), twin.index < index { continue }
      for text in [road.name, road.number] where !text.isEmpty {
        pairs.append((text.rawValue, true, UInt32(index)))
      }
    }
    let columns = graph.columns
    for index in 0..<columns.placeName.count where !columns.placeName[index].isEmpty {
      pairs.append((columns.placeName[index].rawValue, false, UInt32(index)))
    }
    pairs.sort {
      ($0.text, $0.isRoad ? 1 : 0, $0.member) < ($1.text, $1.isRoad ? 1 : 0, $1.member)
    }
    var names: [Name] = []
    for (index, pair) in pairs.enumerated() {
      if let last = names.last, last.text.rawValue == pair.text, last.isRoad == pair.isRoad {
        names[names.count - 1].members = last.members.lowerBound..<(index + 1)
      } else {
        let text = TextID(rawValue: pair.text)
        names.append(
          Name(
            text: text, words: FoldedText.words(graph.text(text)), isRoad: pair.isRoad,
            members: index..<(index + 1)))
      }
    }
    self.names = names
    members = pairs.map(\.member)
  }

  /// The places that match a text, the best first; those near `near` precede equally good ones.
  public func find(_ text: String, near: Coordinate? = nil, limit: Int = 10) -> [FoundPlace] {
    if let place = CoordinateText.coordinate(text) {
      return [
        FoundPlace(
          name: CoordinateText.text(place), kind: .coordinates, detail: "", coordinate: place,
          distanceM: near.map { $0.distanceM(to: place) })
      ]
    }
    let roads = text.split(whereSeparator: { $0 == "/" || $0 == "&" }).map(String.init)
    let found = roads.count == 2 ? crossings(roads[0], roads[1], near) : named(text, near)
    return Array(Self.distinct(found.sorted(by: Self.isBetter), limit: max(0, limit)).map(\.place))
  }

  /// Stops of one name that lie together are one place: each direction has a stop of its own.
  private static let sameStopM = 400.0

  private static func distinct(_ hits: [Hit], limit: Int) -> [Hit] {
    var kept: [Hit] = []
    for hit in hits {
      guard kept.count < limit else { break }
      let isKnown =
        hit.tier == 2
        && kept.contains {
          $0.tier == 2 && $0.place.name == hit.place.name
            && $0.place.coordinate.distanceM(to: hit.place.coordinate) < sameStopM
        }
      if !isKnown { kept.append(hit) }
    }
    return kept
  }

  struct Hit {
    var place: FoundPlace
    /// 0 for the whole name, 1 for its beginning, 2 for words in it.
    var grade: Int
    /// 0 for settlements, 1 for all others but stops, 2 for stops: a town of many stops named after
    /// it is not found behind them.
    var tier: Int

    init(place: FoundPlace, grade: Int) {
      self.place = place
      self.grade = grade
      guard place.kind == .place else {
        tier = 1
        return
      }
      switch PlaceCategory(kind: place.detail) {
      case .settlement: tier = 0
      case .stop: tier = 2
      default: tier = 1
      }
    }
  }

  static func isBetter(_ a: Hit, _ b: Hit) -> Bool {
    if a.grade != b.grade { return a.grade < b.grade }
    if a.tier != b.tier { return a.tier < b.tier }
    let (x, y) = (a.place.distanceM ?? 0, b.place.distanceM ?? 0)
    if x != y { return x < y }
    let kinds = FoundPlace.Kind.allCases
    let (k, l) = (kinds.firstIndex(of: a.place.kind) ?? 0, kinds.firstIndex(of: b.place.kind) ?? 0)
    return k != l ? k < l : a.place.name < b.place.name
  }

  /// The quality with which a name matches the words; nil for no match.
  ///
  /// Each search word must be the beginning of a word of the name, in the same order.
  static func grade(_ asked: [[UInt8]], _ name: [[UInt8]]) -> Int? {
    guard !asked.isEmpty else { return nil }
    var at = 0
    for word in asked {
      while at < name.count, !name[at].starts(with: word) { at += 1 }
      guard at < name.count else { return nil }
      at += 1
    }
    if asked == name { return 0 }
    return zip(asked, name).allSatisfy({ $1.starts(with: $0) }) ? 1 : 2
  }
}
