import Foundation
import Geodesy
import RoadGraph
import Stage
import Traffic

/// The scenario file: JSON with a feed's name and a list of events.
///
///     {"feed": "scenario", "events": [
///       {"at_s": 60, "until_s": 900, "street": "Mill Lane", "jam_factor": 8,
///        "incident": {"kind": "accident", "text": "Accident on Mill Lane"}}]}
///
/// A place is given by `segments` ([{way, from, to}]), or by any of `street`, `box` ([south, west,
/// north, east]) and `polyline` (six decimals, with `within_m`), all of which must hold.
struct ScenarioFile: Decodable {
  struct Event: Decodable {
    var at_s: Double
    var until_s: Double?
    var segments: [Segment]?
    var street: String?
    var box: [Double]?
    var polyline: String?
    var within_m: Double?
    var jam_factor: Double?
    var speed_kmh: Double?
    var incident: Told?
  }

  struct Segment: Decodable {
    var way: Int64
    var from: Int64
    var to: Int64
  }

  struct Told: Decodable {
    var kind: String
    var text: String?
    var impact: String?
    var closed: Bool?
    var delay_s: Double?
  }

  var feed: String?
  var events: [Event]

  /// Reads the scenario of a file.
  ///
  /// - Throws: `StageFailure` naming the file and what is wrong in it.
  static func read(_ path: String) throws(StageFailure) -> TrafficScenario {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StageFailure("scenario: \(path) cannot be read")
    }
    let file: ScenarioFile
    do {
      file = try JSONDecoder().decode(ScenarioFile.self, from: data)
    } catch let DecodingError.keyNotFound(key, context) {
      throw StageFailure("scenario: \(path): \(Self.place(context))\(key.stringValue) is missing")
    } catch let DecodingError.typeMismatch(_, context) {
      throw StageFailure(
        "scenario: \(path): \(Self.place(context))has the wrong type: \(context.debugDescription)")
    } catch {
      throw StageFailure("scenario: \(path) is not a scenario in JSON")
    }
    var events: [ScenarioEvent] = []
    for (number, event) in file.events.enumerated() {
      do throws(StageFailure) {
        events.append(try event.checked(number))
      } catch {
        throw StageFailure("scenario: \(path): events[\(number)]: \(error.message)")
      }
    }
    return TrafficScenario(feed: file.feed ?? "scenario", events: events)
  }

  private static func place(_ context: DecodingError.Context) -> String {
    context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
      .joined(separator: ".") + (context.codingPath.isEmpty ? "" : " ")
  }
}

extension ScenarioFile.Event {
  fileprivate func checked(_ number: Int) throws(StageFailure) -> ScenarioEvent {
    guard at_s >= 0, (until_s ?? .infinity) > at_s else {
      throw StageFailure("until_s must be after at_s, and at_s must not be negative")
    }
    if let jam_factor, !(0...10).contains(jam_factor) {
      throw StageFailure("jam_factor \(jam_factor) is not within 0 to 10")
    }
    if let speed_kmh, !(0...300).contains(speed_kmh) {
      throw StageFailure("speed_kmh \(speed_kmh) is not within 0 to 300")
    }
    guard jam_factor != nil || speed_kmh != nil || incident != nil else {
      throw StageFailure("has neither jam_factor nor speed_kmh nor incident")
    }
    if let delay = incident?.delay_s, !(0...604_800).contains(delay) {
      throw StageFailure("delay_s \(delay) is not within 0 to 604800")
    }
    return ScenarioEvent(
      atS: at_s, untilS: until_s, place: try place(), jamFactor: jam_factor,
      speedMps: speed_kmh.map { $0 / 3.6 },
      incident: incident.map {
        Incident(
          id: "event-\(number)", kind: $0.kind, impact: $0.impact, text: $0.text,
          isClosed: $0.closed ?? ($0.kind == "road_closed" && jam_factor == nil && speed_kmh == nil)
            || (jam_factor ?? 0) >= 10 || speed_kmh == 0, delayS: $0.delay_s)
      })
  }

  private func place() throws(StageFailure) -> ScenarioPlace {
    var place = ScenarioPlace(street: street, withinM: within_m ?? 20)
    place.segments = (segments ?? []).map {
      SegmentReference(way: $0.way, from: $0.from, to: $0.to)
    }
    if let box {
      guard box.count == 4, box[0] <= box[2], box[1] <= box[3] else {
        throw StageFailure("box is not [south, west, north, east]")
      }
      place.box = BoundingBox(
        southDeg: box[0], westDeg: box[1], northDeg: box[2], eastDeg: box[3])
    }
    if let polyline {
      do {
        place.line = try EncodedPolyline.decode(polyline)
      } catch {
        throw StageFailure("polyline is not a polyline with six decimals: \(error)")
      }
    }
    guard !place.segments.isEmpty || street != nil || box != nil || place.line.count > 1 else {
      throw StageFailure("has no place: set segments, street, box or polyline")
    }
    return place
  }
}
