import Messages
import Speech

/// Roads, ferries and tunnels of a route between its maneuvers, read from its spans.
struct RouteLegs {
  /// Share of a leg that must have a name or number for the leg to be announced with it.
  private static let namedShare = 2.0 / 3
  /// Up to this length, pieces of another road are part of the road around them, metres.
  private static let pieceM = 30.0

  private struct Span {
    var startM: Double
    var endM: Double
    var road: Int
  }

  private let spans: [Span]
  private let roads: [WireRoad]

  /// The part of the route from one maneuver to the next.
  struct Leg {
    /// Name and number of at least two thirds of the leg, each nil if there is none.
    var road: RoadName
    /// Whether more than half of the leg is by ferry.
    var isFerry: Bool
  }

  init(_ route: WireRoute) {
    roads = route.roads
    let columns = route.spans
    let count = min(columns.startM.count, columns.lengthM.count, columns.road.count)
    let known = route.roads.indices
    spans = (0..<count).compactMap { index in
      let road = Int(clamping: columns.road[index])
      let startM = columns.startM[index]
      return known.contains(road)
        ? Span(startM: startM, endM: startM + columns.lengthM[index], road: road) : nil
    }
  }

  /// Tunnels of the route, in metres from its start; adjoining pieces are one tunnel.
  ///
  /// The value is nil for a route without spans.
  var tunnels: [ClosedRange<Double>]? {
    if spans.isEmpty { return nil }
    var found: [ClosedRange<Double>] = []
    for span in spans where roads[span.road].tunnel && span.endM >= span.startM {
      if let last = found.last, span.startM - last.upperBound < 1 {
        found[found.count - 1] = last.lowerBound...max(last.upperBound, span.endM)
      } else {
        found.append(span.startM...span.endM)
      }
    }
    return found
  }

  /// Returns the leg between two places, in metres from the route's start; nil without spans there.
  func leg(from startM: Double, to endM: Double) -> Leg? {
    let first = firstSpan(endingAfter: startM)
    var names: [String: Double] = [:]
    var numbers: [String: Double] = [:]
    var (lengthM, ferryM) = (0.0, 0.0)
    for span in spans[first...] {
      guard span.startM < endM else { break }
      let metres = min(span.endM, endM) - max(span.startM, startM)
      guard metres > 0 else { continue }
      let road = roads[span.road]
      lengthM += metres
      if road.ferry { ferryM += metres }
      if !road.name.isEmpty { names[road.name, default: 0] += metres }
      for number in road.number.split(separator: ";") {
        let number = String(number.drop { $0 == " " })
        if !number.isEmpty { numbers[number, default: 0] += metres }
      }
    }
    guard lengthM > 0 else { return nil }
    let country = roads[spans[first].road].country
    return Leg(
      road: RoadName(
        name: Self.most(names, of: lengthM), number: Self.most(numbers, of: lengthM),
        country: country), isFerry: ferryM > lengthM / 2)
  }

  /// Returns how far before the end of a leg the route keeps to a road, in metres; nil without spans there.
  ///
  /// Short pieces of another road are part of it. Linear in the spans of the leg.
  func lengthM(of road: WireRoad, from startM: Double, to endM: Double) -> Double? {
    let first = firstSpan(endingAfter: startM)
    let leg = spans[first...].prefix { $0.startM < endM }
    guard !leg.isEmpty else { return nil }
    var sinceM = endM
    var piecesM = 0.0
    for span in leg.reversed() {
      let metres = min(span.endM, endM) - max(span.startM, startM)
      if roads[span.road].isSame(as: road) {
        piecesM = 0
        sinceM = span.startM
      } else {
        piecesM += metres
        if piecesM > Self.pieceM { break }
      }
    }
    return endM - max(sinceM, startM)
  }

  private static func most(_ shares: [String: Double], of lengthM: Double) -> String? {
    // Equal shares are resolved in alphabetical order, so that the choice is always the same.
    let best = shares.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return best.flatMap { $0.value >= lengthM * namedShare ? $0.key : nil }
  }

  private func firstSpan(endingAfter metres: Double) -> Int {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].endM > metres { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
