import Documents
import Foundations

/// Reads one situation record of DATEX II as an incident.
struct DatexRecord {
  private let record: XMLNode
  private let situation: XMLNode
  private let languages: [String]
  private let published: Instant?
  private let id: String
  private(set) var notes: [FeedProblem] = []

  /// `languages` lists the languages for texts, the preferred one first.
  init(_ record: XMLNode, situation: XMLNode, languages: [String], published: Instant?) {
    self.record = record
    self.situation = situation
    self.languages = languages
    self.published = published
    id = record.attributes["id"] ?? situation.attributes["id"] ?? ""
  }

  private mutating func report(_ reason: FeedReason, _ problem: String) {
    notes.append(FeedProblem("record \(id)", reason, problem))
  }

  private var impactNode: XMLNode? { record["impact"] }
  private var management: String? { record["roadOrCarriagewayOrLaneManagementType"]?.text }

  /// The incident; nil, with a note, for a record without a place and for one that is suspended or
  /// cleared.
  mutating func incident() -> FeedIncident? {
    guard !id.isEmpty else {
      report(.useless, "a record without an id")
      return nil
    }
    guard let type = record.type else {
      report(.useless, "a record without xsi:type")
      return nil
    }
    guard management != "roadCleared" else {
      report(.suspended, "the road is cleared")
      return nil
    }
    var times = DatexValidity(record, published: published)
    let validity = times.validity()
    for problem in times.problems { report(.badValue, problem) }
    let action = record["operatorActionStatus"]?.text
    guard !times.isSuspended, action != "rejected" else {
      report(.suspended, times.isSuspended ? "it is suspended" : "the action was rejected")
      return nil
    }
    var location = DatexLocation(record)
    var place = location.place()
    for problem in location.problems { report(.unsupportedLocation, problem) }
    for problem in location.badReferences { report(.badOpenLR, problem) }
    guard !place.isEmpty else {
      report(.useless, "it has no coordinates")
      return nil
    }
    var kind = kind(type)
    var effect = effect(location, validity)
    if closesWholeRoad, place.direction == nil { place.direction = .road }
    if let who = exemption {
      report(.onlySomeVehicles, who)
      effect = FeedEffect(delayS: effect.delayS)
      if kind == .roadClosed { kind = .other }
    }
    if record["probabilityOfOccurrence"]?.text == "riskOf" || action == "requested" {
      effect = FeedEffect()
    }
    return FeedIncident(
      id: id, kind: kind, impact: impact, text: text, place: place, effect: effect,
      validity: validity)
  }

  // MARK: Kind and impact

  private mutating func kind(_ type: String) -> IncidentKind {
    switch type {
    case "RoadOrCarriagewayOrLaneManagement":
      return DatexVocabulary.managementKinds[management ?? ""] ?? .other
    case "VehicleObstruction":
      let what = record["vehicleObstructionType"]?.text ?? ""
      return DatexVocabulary.brokenDown.contains(what) ? .vehicleBrokenDown : .obstacle
    case "GeneralObstruction":
      let isAccident = record.all("obstructionType").contains {
        $0.text == "unprotectedAccidentArea"
      }
      return isAccident ? .accident : .obstacle
    case "SpeedManagement", "GenericSituationRecord":
      return causeKind ?? .other
    default:
      if let kind = DatexVocabulary.kinds[type] { return kind }
      report(.badValue, "\(type) is not a known record type; its cause is used")
      return causeKind ?? .other
    }
  }

  private var causeKind: IncidentKind? {
    record.node("cause", "causeType").flatMap { DatexVocabulary.causes[$0.text] }
  }

  private var impact: IncidentImpact? {
    let severity = record["severity"]?.text ?? situation["overallSeverity"]?.text
    return severity.flatMap { DatexVocabulary.severities[$0] }
  }

  // MARK: Effect

  private var closesWholeRoad: Bool {
    ["roadClosed", "closedPermanentlyForTheWinter"].contains(management ?? "")
      || constriction == "roadBlocked"
  }

  /// A member of the record in version 3, of its impact in version 2.
  private var constriction: String? {
    (record["trafficConstrictionType"] ?? impactNode?["trafficConstrictionType"])?.text
  }

  private mutating func effect(_ location: DatexLocation, _ validity: FeedValidity) -> FeedEffect {
    var effect = FeedEffect()
    effect.lanesOpen = count("numberOfOperationalLanes")
    effect.lanesClosed =
      count("numberOfLanesRestricted") ?? (location.lanes.isEmpty ? nil : location.lanes.count)
    if let closed = effect.lanesClosed, effect.lanesOpen == nil,
      let all = location.originalLanes ?? count("originalNumberOfLanes")
    {
      effect.lanesOpen = max(0, all - closed)
    }
    if effect.lanesClosed == nil,
      ["laneClosures", "singleAlternateLineTraffic"].contains(management ?? "")
    {
      effect.lanesClosed = location.isBesideLanes ? 0 : 1
    }
    effect.isClosed = isClosed(effect, location, validity)
    effect.speedLimitMps = quantity(record["temporarySpeedLimit"], in: 1...200).map { $0 / 3.6 }
    effect.jamFactor = [
      record["abnormalTrafficType"], record["trafficFlowCharacteristics"],
    ].compactMap { $0.flatMap { DatexVocabulary.jamFactors[$0.text] } }.max()
    let delays = impactNode?["delays"]
    effect.delayS =
      quantity(delays?["delayTimeValue"], in: 0...604_800)
      ?? delays?["delayBand"].flatMap { DatexVocabulary.delaysS[$0.text] }
    return effect
  }

  private mutating func isClosed(
    _ effect: FeedEffect, _ location: DatexLocation, _ validity: FeedValidity
  ) -> Bool {
    guard !location.isForOthers else { return false }
    if closesWholeRoad || constriction == "carriagewayBlocked"
      || management == "carriagewayClosures"
    {
      return true
    }
    // Without hours of the day it is unknown when the road is closed.
    if management == "overnightClosures" { return validity.periods.contains { !$0.hours.isEmpty } }
    if management == "laneClosures", location.isWholeCarriageway { return true }
    if record["drivingConditionType"]?.text == "impossible" { return true }
    return effect.lanesOpen == 0 || quantity(impactNode?["capacityRemaining"], in: 0...100) == 0
  }

  /// Why a restriction does not apply to every car; nil if it does.
  private var exemption: String? {
    let groups = record.all("forVehiclesWithCharacteristicsOf")
    let isForCars = groups.contains { group in
      group.children.allSatisfy { child in
        child.name == "vehicleType" && DatexVocabulary.everyCar.contains(child.text)
      }
    }
    if !groups.isEmpty, !isForCars { return "it is for vehicles of some kinds only" }
    let traffic = record.all("applicableForTrafficType").map(\.text)
    return traffic.isEmpty ? nil : "it is for some traffic only: \(traffic.joined(separator: ", "))"
  }

  // MARK: Values

  private mutating func count(_ name: String) -> Int? {
    quantity(impactNode?[name], in: 0...100).map { Int($0) }
  }

  private mutating func quantity(_ node: XMLNode?, in range: ClosedRange<Double>) -> Double? {
    guard let node else { return nil }
    if let number = Double(node.text), range.contains(number) { return number }
    report(
      .badValue,
      "\(node.name): \"\(node.text.prefix(40))\" is not a number from \(range.lowerBound) to \(range.upperBound)"
    )
    return nil
  }

  /// The publisher's comment for road users in the preferred language.
  private var text: String? {
    let comments = record.all("generalPublicComment")
    let ranks = ["warning": 0, "description": 1]
    let ranked = comments.sorted {
      (ranks[$0["commentType"]?.text ?? ""] ?? 2) < (ranks[$1["commentType"]?.text ?? ""] ?? 2)
    }
    let others = [record["generalMessageToRoadUsers"], record.node("cause", "causeDescription")]
    return (ranked.map { $0["comment"] } + others).lazy.compactMap { $0.flatMap(words) }.first
  }

  private func words(_ node: XMLNode) -> String? {
    let values = (node["values"] ?? node).all("value").filter { !$0.text.isEmpty }
    for language in languages {
      let wanted = language.lowercased()
      let found = values.first { value in
        let own = (value.attributes["lang"] ?? "").lowercased()
        return own == wanted || own.hasPrefix(wanted + "-")
      }
      if let found { return found.text }
    }
    return values.first?.text ?? (node.text.isEmpty ? nil : node.text)
  }
}
