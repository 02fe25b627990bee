import Foundations
import Geodesy
import Testing
import TrafficFeeds

@Suite struct DatexFeedTests {
  private func read(_ text: String, language: String? = nil) throws(FeedFault) -> FeedDocument {
    try DatexFeed.read(Array(text.utf8), language: language)
  }

  private func incident(_ record: String, language: String? = nil) throws -> FeedIncident {
    let document = try read(DatexSample.v3(record), language: language)
    #expect(document.notes.isEmpty, "\(document.notes)")
    return try #require(document.incidents.first)
  }

  private func moment(_ text: String) throws -> Instant { try #require(TimeText.iso8601(text)) }

  @Test func `a record of version 3 is an incident with place, time and text, TR-1`() throws {
    let values = #"<com:value lang="en"/><com:value lang="de">Unfall</com:value>"#
    let found = try incident(
      DatexSample.record(
        "Accident", severity: "highest",
        before:
          "<sit:impact><sit:delays><sit:delayBand>upToTenMinutes</sit:delayBand></sit:delays></sit:impact>"
          + DatexSample.comment(values),
        location: DatexSample.point(bearing: 90),
        after: "<sit:accidentType>collision</sit:accidentType>"))
    #expect(found.id == "R1")
    #expect(found.kind == .accident)
    #expect(found.impact == .critical)
    #expect(found.text == "Unfall")
    #expect(found.place.points == [Coordinate(latitudeDeg: 47.1, longitudeDeg: 9.5)])
    #expect(found.place.bearingDeg == 90)
    #expect(found.effect == FeedEffect(delayS: 300))
    #expect(found.validity.from == (try moment("2026-03-01T07:00:00Z")))
    #expect(found.validity.until == (try moment("2026-03-05T07:00:00Z")))
    let document = try read(DatexSample.v3(DatexSample.record("Accident")))
    #expect(document.published == (try moment("2026-03-02T08:00:00Z")))
    #expect(document.country == "DE")
    #expect(document.incidents.first?.impact == .minor)
  }

  @Test func `a record of version 2 is read alike, TR-1`() throws {
    let document = try read(DatexSample.v2)
    #expect(document.notes.isEmpty, "\(document.notes)")
    let found = try #require(document.incidents.first)
    #expect(found.kind == .accident)
    #expect(found.impact == .major)
    #expect(found.text == "Accident")
    #expect(
      found.place.lines == [
        [
          Coordinate(latitudeDeg: 47.1, longitudeDeg: 9.5),
          Coordinate(latitudeDeg: 47.2, longitudeDeg: 9.5),
        ]
      ])
    #expect(found.effect == FeedEffect(lanesClosed: 1, lanesOpen: 2, delayS: 600))
  }

  @Test func `the preferred language counts, then the publication's, then any, TR-1`() throws {
    let values =
      #"<com:value lang="fr">Accident</com:value><com:value lang="de">Unfall</com:value>"#
      + #"<com:value lang="en-GB">Crash</com:value>"#
    let record = DatexSample.record("Accident", before: DatexSample.comment(values))
    #expect(try incident(record).text == "Unfall")
    #expect(try incident(record, language: "en").text == "Crash")
    #expect(try incident(record, language: "pt").text == "Unfall")
    let only = DatexSample.comment(#"<com:value lang="fr">Accident</com:value>"#)
    #expect(try incident(DatexSample.record("Accident", before: only)).text == "Accident")
  }

  // MARK: Kinds and effects

  static let kinds: [(String, String, IncidentKind, FeedEffect)] = [
    (
      "AbnormalTraffic", "<sit:abnormalTrafficType>queuingTraffic</sit:abnormalTrafficType>",
      .congestion, FeedEffect(jamFactor: 7)
    ),
    (
      "AbnormalTraffic",
      "<sit:abnormalTrafficType>slowTraffic</sit:abnormalTrafficType>"
        + "<sit:trafficFlowCharacteristics>trafficBlocked</sit:trafficFlowCharacteristics>",
      .congestion, FeedEffect(jamFactor: 9)
    ),
    (
      "MaintenanceWorks", "<sit:roadMaintenanceType>roadworks</sit:roadMaintenanceType>",
      .construction, FeedEffect()
    ),
    ("ConstructionWorks", "", .construction, FeedEffect()),
    (
      "SpeedManagement", "<sit:temporarySpeedLimit>72</sit:temporarySpeedLimit>", .other,
      FeedEffect(speedLimitMps: 20)
    ),
    (
      "VehicleObstruction", "<sit:vehicleObstructionType>vehicleStuck</sit:vehicleObstructionType>",
      .vehicleBrokenDown, FeedEffect()
    ),
    (
      "VehicleObstruction", "<sit:vehicleObstructionType>slowVehicle</sit:vehicleObstructionType>",
      .obstacle, FeedEffect()
    ),
    (
      "GeneralObstruction", "<sit:obstructionType>debris</sit:obstructionType>", .obstacle,
      FeedEffect()
    ),
    (
      "GeneralObstruction",
      "<sit:trafficConstrictionType>roadBlocked</sit:trafficConstrictionType>",
      .obstacle, FeedEffect(isClosed: true)
    ),
    ("PoorEnvironmentConditions", "", .weather, FeedEffect()),
    (
      "WeatherRelatedRoadConditions",
      "<sit:drivingConditionType>impossible</sit:drivingConditionType>", .weather,
      FeedEffect(isClosed: true)
    ),
    ("PublicEvent", "", .event, FeedEffect()), ("ReroutingManagement", "", .other, FeedEffect()),
  ]

  @Test(arguments: kinds)
  func `each type of record has its kind and effect, TR-1`(
    type: String, members: String, kind: IncidentKind, effect: FeedEffect
  ) throws {
    let found = try incident(DatexSample.record(type, after: members))
    #expect(found.kind == kind)
    #expect(found.effect == effect)
  }

  static let managements: [(String, String, IncidentKind, FeedEffect)] = [
    ("roadClosed", "", .roadClosed, FeedEffect(isClosed: true)),
    ("carriagewayClosures", "", .roadClosed, FeedEffect(isClosed: true)),
    ("intermittentShortTermClosures", "", .roadClosed, FeedEffect()),
    ("overnightClosures", "", .roadClosed, FeedEffect()),
    ("contraflow", "", .laneRestriction, FeedEffect()),
    ("laneClosures", "", .laneRestriction, FeedEffect(lanesClosed: 1)),
    (
      "laneClosures",
      "<sit:impact><sit:numberOfLanesRestricted>2</sit:numberOfLanesRestricted>"
        + "<sit:numberOfOperationalLanes>1</sit:numberOfOperationalLanes></sit:impact>",
      .laneRestriction, FeedEffect(lanesClosed: 2, lanesOpen: 1)
    ),
    (
      "laneClosures",
      "<sit:impact><sit:numberOfOperationalLanes>0</sit:numberOfOperationalLanes></sit:impact>",
      .laneRestriction, FeedEffect(isClosed: true, lanesClosed: 1, lanesOpen: 0)
    ),
    (
      "narrowLanes", "<sit:impact><sit:capacityRemaining>0</sit:capacityRemaining></sit:impact>",
      .laneRestriction, FeedEffect(isClosed: true)
    ),
  ]

  @Test(arguments: managements)
  func `closures close, lanes leave the others open, TR-1`(
    word: String, impact: String, kind: IncidentKind, effect: FeedEffect
  ) throws {
    let found = try incident(management(word, impact: impact))
    #expect(found.kind == kind)
    #expect(found.effect == effect)
    #expect(found.place.direction == (word == "roadClosed" ? .road : nil))
  }

  private func management(
    _ word: String, impact: String = "", location: String = DatexSample.point(), more: String = "",
    validity: String = DatexSample.validity()
  ) -> String {
    let name = "roadOrCarriagewayOrLaneManagementType"
    return DatexSample.record(
      "RoadOrCarriagewayOrLaneManagement", validity: validity, before: impact, location: location,
      after:
        "<sit:complianceOption>mandatory</sit:complianceOption>\(more)<sit:\(name)>\(word)</sit:\(name)>"
    )
  }

  private func carriageway(_ word: String, lane: String? = nil) -> String {
    """
    <loc:supplementaryPositionalDescription><loc:carriageway>
      <loc:carriageway>\(word)</loc:carriageway><loc:originalNumberOfLanes>3</loc:originalNumberOfLanes>
      \(lane.map { "<loc:lane><loc:laneUsage>\($0)</loc:laneUsage></loc:lane>" } ?? "")
    </loc:carriageway></loc:supplementaryPositionalDescription>
    """
  }

  @Test func `the carriageway and its lanes say what of the road is meant, TR-1`() throws {
    func found(_ word: String, _ lane: String? = nil, _ management: String = "laneClosures") throws
      -> FeedIncident
    {
      try incident(
        self.management(
          management, location: DatexSample.point(description: carriageway(word, lane: lane))))
    }
    #expect(try found("exitSlipRoad").place.isSlipRoad)
    #expect(try found("oppositeCarriageway").place.direction == .against)
    #expect(
      try found("mainCarriageway", "leftLane").effect == FeedEffect(lanesClosed: 1, lanesOpen: 2))
    #expect(try found("mainCarriageway", "hardShoulder").effect.lanesClosed == 0)
    #expect(try found("mainCarriageway", "allLanesCompleteCarriageway").effect.isClosed)
    #expect(try !found("cycleTrack", nil, "roadClosed").effect.isClosed)
  }

  @Test func `a closure for some vehicles only closes no road, TR-1`() throws {
    func group(_ members: String) -> String {
      "<sit:forVehiclesWithCharacteristicsOf>\(members)</sit:forVehiclesWithCharacteristicsOf>"
    }
    let lorries = try read(
      DatexSample.v3(
        management("roadClosed", more: group("<com:vehicleType>lorry</com:vehicleType>"))))
    #expect(lorries.notes.map(\.reason) == [.onlySomeVehicles])
    #expect(lorries.incidents.first?.effect.isClosed == false)
    #expect(lorries.incidents.first?.kind == .other)
    let everyone = group("<com:vehicleType>anyVehicle</com:vehicleType>")
    #expect(try incident(management("roadClosed", more: everyone)).effect.isClosed)
    let through = "<sit:applicableForTrafficType>throughTraffic</sit:applicableForTrafficType>"
    let document = try read(DatexSample.v3(management("roadClosed", more: through)))
    #expect(document.notes.map(\.reason) == [.onlySomeVehicles])
  }

  @Test func `the direction that a restriction is for is kept, TR-1`() throws {
    func direction(_ word: String) throws -> FeedDirection? {
      let name = "applicableForTrafficDirection"
      return try incident(management("roadClosed", more: "<sit:\(name)>\(word)</sit:\(name)>"))
        .place.direction
    }
    #expect(try direction("bothWays") == .both)
    #expect(try direction("opposite") == .against)
    #expect(try direction("aligned") == .along)
  }

  @Test func `a mere risk has no effect yet, TR-1`() throws {
    let record = DatexSample.record(
      "GeneralObstruction",
      after: "<sit:trafficConstrictionType>roadBlocked</sit:trafficConstrictionType>",
      probability: "riskOf")
    #expect(try incident(record).effect == FeedEffect())
  }
}
