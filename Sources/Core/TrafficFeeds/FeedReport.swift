public import Foundations

/// Why something in a feed is dropped or changed; the raw value is the name of a counter.
public enum FeedReason: String, Hashable, Sendable, CaseIterable {
  /// An invalid value; the incident is kept without it.
  case badValue = "bad_value"
  /// Too little of an incident can be read; it is dropped.
  case useless
  /// An id that was used before in the feed; the later incident is dropped.
  case repeated
  /// A kind of location reference that is not read (Alert-C, OpenLR points and areas, predefined locations); coordinates are
  /// the fallback.
  case unsupportedLocation = "unsupported_location"
  /// An OpenLR line that is malformed; coordinates are the fallback.
  case badOpenLR = "bad_openlr"
  /// An OpenLR line that fits no path of the map; coordinates are the fallback.
  case openLRWithoutPath = "openlr_without_path"
  /// A test or an exercise; it is dropped.
  case notReal = "not_real"
  /// Suspended by its publisher, or never carried out; it is dropped.
  case suspended
  /// A restriction for some vehicles only; it is published without closing the road.
  case onlySomeVehicles = "only_some_vehicles"
  /// Beyond the map; it is published with its coordinates and without segments.
  case offMap = "off_map"
  /// On the map without a fitting road nearby; it is published with its coordinates and without segments.
  case noRoadNear = "no_road_near"
  /// Segments that the map does not have; the others are used.
  case unknownSegment = "unknown_segment"
  /// Less than half of a line lies along roads; that part is used.
  case partlyPlaced = "partly_placed"
  /// More segments than a message takes; it is published with its coordinates and without segments.
  case tooLarge = "too_large"
}

/// A problem in a feed, with its place in the document.
public struct FeedProblem: Hashable, Sendable, CustomStringConvertible {
  /// Place in the document or id of the incident: `features[3].properties.kind`, `record R7`.
  public var place: String
  public var reason: FeedReason
  /// As the end of a sentence.
  public var problem: String

  public init(_ place: String, _ reason: FeedReason, _ problem: String) {
    self.place = place
    self.reason = reason
    self.problem = problem
  }

  public var description: String { "\(place): \(reason.rawValue): \(problem)" }
}

/// The result of reading a document: incidents, and notes on everything that could not be read.
public struct FeedDocument: Hashable, Sendable {
  public var incidents: [FeedIncident] = []
  public var notes: [FeedProblem] = []
  /// When it was published; nil if not known.
  public var published: Instant?
  /// ISO 3166-1 letters of the publisher's country; nil if not known.
  public var country: String?

  public init() {}

  /// Adds an incident, or a note if its id was used before.
  mutating func add(_ incident: FeedIncident, at place: String, ids: inout Set<String>) {
    guard ids.insert(incident.id).inserted else {
      notes.append(FeedProblem(place, .repeated, "the id \"\(incident.id)\" was used before"))
      return
    }
    incidents.append(incident)
  }
}

/// Why a document cannot be read at all.
public struct FeedFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}
