import Foundation
import Foundations
import Geodesy
import OpeningHours
import RoadGraph
import TrafficFeeds

/// A file of incidents that another program writes; it is read again when it changes.
struct FeedFile: Hashable, Sendable {
  enum Format: String, Hashable, Sendable, CaseIterable {
    case geojson
    case datex
  }

  /// Larger files are refused.
  static let byteLimit = 64 << 20

  var format: Format
  var path: String
  /// Preferred language of texts; nil for the publisher's.
  var language: String?

  /// The key of the feed on the topics.
  var feed: String { format.rawValue }

  /// - Throws: `FeedFault` in a sentence that names the file.
  func read() throws(FeedFault) -> FeedDocument {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let bytes = (attributes[.size] as? NSNumber)?.intValue
    else { throw FeedFault("\(path) cannot be read: there is no such file") }
    guard bytes <= Self.byteLimit else {
      throw FeedFault(
        "\(path) is larger than \(Self.byteLimit >> 20) MiB; remove incidents that have ended")
    }
    guard let data = FileManager.default.contents(atPath: resolved) else {
      throw FeedFault("\(path) cannot be read")
    }
    do throws(FeedFault) {
      return switch format {
      case .geojson: try GeoJSONFeed.read(Array(data))
      case .datex: try DatexFeed.read(Array(data), language: language)
      }
    } catch {
      throw FeedFault("\(path): \(error)")
    }
  }
}

/// A feed of incidents on the roads of one map.
struct LoadedFeed: Sendable {
  let name: String
  let document: FeedDocument
  let placed: [PlacedIncident]
  /// Time zones of the places, one for each of `placed`.
  let zones: [TimeZoneRule]
  /// Problems of reading and of placing.
  let notes: [FeedProblem]
  /// Why the current file could not be loaded; nil if it was.
  let fault: String?

  /// Budget for the incidents of a message on traffic/incidents, below its limit of 8 MiB.
  private static let messageBytes = 7 << 20

  init(
    _ name: String, _ document: FeedDocument, on graph: RoadGraph, index: SegmentIndex,
    fault: String? = nil
  ) {
    self.name = name
    self.document = document
    self.fault = fault
    let placer = FeedPlacer(graph, index: index)
    var placed: [PlacedIncident] = []
    var leftBytes = Self.messageBytes
    for incident in document.incidents {
      var found = placer.place(incident)
      let count = max(found.edges.count, incident.place.segments.count)
      // Upper bounds for the encoded incident without segments and for each segment.
      let bytes = 250 + (incident.text?.utf8.count ?? 0)
      if bytes + 42 * count > leftBytes, count > 0 {
        found.runs = []
        found.named = []
        found.incident.place.segments = []
        found.notes.append(
          FeedProblem(incident.id, .tooLarge, "the feed has more segments than fit into a message"))
        leftBytes -= bytes
      } else {
        leftBytes -= bytes + 42 * count
      }
      guard leftBytes > 0 else {
        found.notes.append(
          FeedProblem(
            incident.id, .tooLarge, "this incident and all after it do not fit into a message"))
        placed.append(found)
        break
      }
      placed.append(found)
    }
    self.placed = placed
    notes = document.notes + placed.flatMap(\.notes)
    zones = placed.map { one in
      TimeZones.zone(
        country: one.country ?? document.country, latitudeDeg: one.anchor?.latitudeDeg ?? 0,
        longitudeDeg: one.anchor?.longitudeDeg ?? 0)
    }
  }

  /// The same feed after its file could not be loaded again.
  init(_ other: LoadedFeed, fault: String?) {
    name = other.name
    document = other.document
    placed = other.placed
    zones = other.zones
    notes = other.notes
    self.fault = fault
  }
}
