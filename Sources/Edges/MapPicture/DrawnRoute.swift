import Cartography
import Geodesy
public import Messages

/// A route that is ready to be drawn.
public struct DrawnRoute: Sendable {
  public let route: WireRoute
  let line: Polyline
  let points: [MapPoint]

  /// nil for a route whose shape is not a line.
  public init?(_ route: WireRoute) {
    guard let shape = try? EncodedPolyline.decode(route.shape), shape.count > 1 else { return nil }
    self.route = route
    line = Polyline(shape)
    points = shape.map { MapPoint($0) }
  }

  /// Metres from the start to a point of the shape, and a fraction of the way to the next.
  func offsetM(shapeIndex: Int64?, fraction: Double?) -> Double {
    guard let shapeIndex else { return 0 }
    let index = min(max(Int(clamping: shapeIndex), 0), points.count - 1)
    let next = min(index + 1, points.count - 1)
    let share = fraction.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil } ?? 0
    return line.offsetsM[index] + (line.offsetsM[next] - line.offsetsM[index]) * share
  }

  /// The part between two distances from the start, with its cut ends.
  func part(fromM: Double, toM: Double) -> [MapPoint] {
    guard toM > fromM, let from = line.place(atM: fromM), let to = line.place(atM: toM) else {
      return []
    }
    func at(_ place: (segment: Int, fraction: Double)) -> MapPoint {
      let (a, b) = (points[place.segment], points[place.segment + 1])
      return MapPoint(
        x: a.x + (b.x - a.x) * place.fraction, y: a.y + (b.y - a.y) * place.fraction)
    }
    var part = [at(from)]
    if to.segment > from.segment { part += points[from.segment + 1...to.segment] }
    return part + [at(to)]
  }

  /// The stretches of one colour from a distance on, by the traffic on them.
  func stretches(fromM: Double, showsTraffic: Bool) -> [(toM: Double, colour: String)] {
    var stretches: [(toM: Double, colour: String)] = []
    func add(_ toM: Double, _ colour: String) {
      guard toM > stretches.last?.toM ?? fromM else { return }
      if stretches.last?.colour == colour { stretches.removeLast() }
      stretches.append((toM, colour))
    }
    let spans = route.spans
    for (index, start) in spans.startM.enumerated() where showsTraffic {
      guard spans.lengthM.indices.contains(index) else { break }
      let jam = spans.jamFactor.indices.contains(index) ? spans.jamFactor[index] : 0
      add(min(start + spans.lengthM[index], line.lengthM), TrafficColour.name(jamFactor: jam))
    }
    add(line.lengthM, "ahead")
    return stretches
  }
}

/// The palette's colours of the parts of a route.
enum RouteColour: String {
  case behind
  case ahead

  /// The colour of its outline.
  var edge: String { rawValue + "-edge" }
}

/// The palette's colours of traffic.
enum TrafficColour {
  /// Jam factors from which a stretch has another colour, as on the page.
  static func name(jamFactor: Double) -> String {
    if jamFactor >= 10 { return "closed" }
    if jamFactor >= 8 { return "jam" }
    return jamFactor >= 4 ? "slow" : "ahead"
  }
}
