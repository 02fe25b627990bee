public import Geodesy
import RoadGraph

/// The purposes of the places to search for.
public struct PlaceFilter: Hashable, Sendable {
  /// Only places of this category; nil for all.
  public var category: PlaceCategory?
  /// Only places of these kinds, as values of OSM tags; empty for all.
  public var kinds: Set<String>

  public init(category: PlaceCategory? = nil, kinds: Set<String> = []) {
    self.category = category
    self.kinds = kinds
  }

  public var isEmpty: Bool { category == nil && kinds.isEmpty }

  func admits(_ kind: String) -> Bool {
    (kinds.isEmpty || kinds.contains(kind))
      && (category.map { $0 == PlaceCategory(kind: kind) } ?? true)
  }
}

extension PlaceIndex {
  /// The places that a filter admits, the nearest to `near` first; without it, in the order of
  /// their names.
  ///
  /// `text` selects places by name as in `find`; an empty one selects all. Examines every place.
  public func places(
    _ filter: PlaceFilter, named text: String = "", near: Coordinate? = nil, limit: Int = 10
  ) -> [FoundPlace] {
    var found: [FoundPlace] = []
    forEachPlace(filter, named: text) { place in
      var place = place
      place.distanceM = near.map { $0.distanceM(to: place.coordinate) }
      found.append(place)
    }
    found.sort { ($0.distanceM ?? 0, $0.name) < ($1.distanceM ?? 0, $1.name) }
    return Self.distinct(found, limit: limit)
  }

  /// The places that a filter admits within `withinM` metres of a line, in the order in which they
  /// come along it.
  ///
  /// Examines every place, and for those near the line the segments in the same row of it.
  public func places(
    _ filter: PlaceFilter, named text: String = "", along line: [Coordinate], withinM: Double,
    limit: Int = 10
  ) -> [FoundPlace] {
    guard let box = BoundingBox(around: line)?.expanded(byM: withinM) else { return [] }
    let rows = SegmentRows([line], isClosed: false, marginM: withinM)
    let offsetsM = Polyline(line).offsetsM
    var found: [FoundPlace] = []
    forEachPlace(filter, named: text) { place in
      guard box.contains(place.coordinate) else { return }
      var place = place
      for segment in rows.segments(at: place.coordinate) {
        guard
          let foot = Polyline([segment.from, segment.to]).projection(of: place.coordinate),
          foot.distanceM <= withinM, foot.distanceM < place.distanceM ?? .infinity
        else { continue }
        place.distanceM = foot.distanceM
        place.alongM = offsetsM[segment.index] + foot.offsetM
      }
      if place.alongM != nil { found.append(place) }
    }
    found.sort { ($0.alongM ?? 0, $0.name) < ($1.alongM ?? 0, $1.name) }
    return Self.distinct(found, limit: limit)
  }

  private func forEachPlace(
    _ filter: PlaceFilter, named text: String, _ body: (FoundPlace) -> Void
  ) {
    let asked = FoldedText.words(text)
    // A map has few kinds, and many places of each.
    var admitted: [UInt32: Bool] = [:]
    for name in names where !name.isRoad {
      guard asked.isEmpty || Self.grade(asked, name.words) != nil else { continue }
      for member in members[name.members] {
        let index = Int(member)
        let kind = graph.columns.placeKind[index]
        let isAdmitted = admitted[kind.rawValue] ?? filter.admits(graph.text(kind))
        admitted[kind.rawValue] = isAdmitted
        guard isAdmitted else { continue }
        body(
          FoundPlace(
            name: graph.text(name.text), kind: .place, detail: graph.text(kind),
            coordinate: Coordinate(
              latitudeDeg: Double(graph.columns.placeLatitude[index]) / 1e7,
              longitudeDeg: Double(graph.columns.placeLongitude[index]) / 1e7)))
      }
    }
  }

  /// Two places of one name and kind that lie together are one: mappers draw a place once for each
  /// of its entrances or directions.
  private static let togetherM = 60.0

  private static func distinct(_ found: [FoundPlace], limit: Int) -> [FoundPlace] {
    var kept: [FoundPlace] = []
    for place in found {
      guard kept.count < limit else { break }
      let isKnown = kept.contains {
        $0.name == place.name && $0.detail == place.detail
          && $0.coordinate.distanceM(to: place.coordinate) < togetherM
      }
      if !isKnown { kept.append(place) }
    }
    return kept
  }
}
