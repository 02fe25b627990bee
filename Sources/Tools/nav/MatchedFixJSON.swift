import EventTime
import Geodesy
import MapMatching
import Positioning
import RoadGraph

/// A piece of road, as JSON names it.
struct SegmentJSON: Encodable {
  var way: Int64
  var from: Int64
  var to: Int64

  init(_ reference: SegmentReference) {
    way = reference.way
    from = reference.from
    to = reference.to
  }
}

/// One fix of `nav match --format json`; what is not known is null.
struct MatchedFixJSON: Encodable {
  private let index: Int
  private let match: Match
  private let live: Match?
  private let explanation: ExplanationJSON?

  init(_ index: Int, _ match: Match, live: Match?, explanation: ExplanationJSON?) {
    self.index = index
    self.match = match
    self.live = live
    self.explanation = explanation
  }

  enum CodingKeys: CodingKey {
    case index, time, lat, lon, matchedLat, matchedLon, bearingDeg, way, segment, offsetM
    case distanceM, probability, offRoadProbability, state, reason, wrongWay, inTunnel, teleport
    case zLevel, candidates, liveLat, liveLon, liveWay, liveProbability, liveState, explanation
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let place = match.place
    try container.encode(index, forKey: .index)
    try container.encode(match.fix.time?.seconds, forKey: .time)
    try container.encode(match.fix.place.latitudeDeg, forKey: .lat)
    try container.encode(match.fix.place.longitudeDeg, forKey: .lon)
    try container.encode(place?.coordinate.latitudeDeg, forKey: .matchedLat)
    try container.encode(place?.coordinate.longitudeDeg, forKey: .matchedLon)
    try container.encode(place?.bearingDeg, forKey: .bearingDeg)
    try container.encode(place?.segment.way, forKey: .way)
    try container.encode(place.map { SegmentJSON($0.segment) }, forKey: .segment)
    try container.encode(place?.offsetM, forKey: .offsetM)
    try container.encode(place?.distanceM, forKey: .distanceM)
    try container.encode(place?.probability, forKey: .probability)
    try container.encode(match.offRoadProbability, forKey: .offRoadProbability)
    try container.encode(place == nil ? "no_match" : "matched", forKey: .state)
    try container.encode(match.reason?.rawValue, forKey: .reason)
    try container.encode(place?.isWrongWay ?? false, forKey: .wrongWay)
    try container.encode(place?.isInTunnel ?? false, forKey: .inTunnel)
    try container.encode(match.isTeleport, forKey: .teleport)
    try container.encode(place?.zLevel, forKey: .zLevel)
    try container.encode(match.candidateCount, forKey: .candidates)
    if let live {
      try container.encode(live.place?.coordinate.latitudeDeg, forKey: .liveLat)
      try container.encode(live.place?.coordinate.longitudeDeg, forKey: .liveLon)
      try container.encode(live.place?.segment.way, forKey: .liveWay)
      try container.encode(live.place?.probability, forKey: .liveProbability)
      try container.encode(live.place == nil ? "no_match" : "matched", forKey: .liveState)
    }
    if let explanation { try container.encode(explanation, forKey: .explanation) }
  }
}
