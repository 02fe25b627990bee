/// The meaning of DATEX II values for an incident; docs/architecture/traffic.md has the table.
enum DatexVocabulary {
  /// By the type of the record; types that depend on a further value are handled by `DatexRecord`.
  static let kinds: [String: IncidentKind] = [
    "Accident": .accident, "AbnormalTraffic": .congestion,
    "ConstructionWorks": .construction, "MaintenanceWorks": .construction,
    "AnimalPresenceObstruction": .obstacle, "EnvironmentalObstruction": .obstacle,
    "InfrastructureDamageObstruction": .obstacle, "NonWeatherRelatedRoadConditions": .obstacle,
    "PoorEnvironmentConditions": .weather, "WeatherRelatedRoadConditions": .weather,
    "Conditions": .weather, "PublicEvent": .event, "DisturbanceActivity": .event,
    "AuthorityOperation": .event, "GeneralNetworkManagement": .other,
    "GeneralInstructionOrMessageToRoadUsers": .other, "ReroutingManagement": .other,
    "WinterDrivingManagement": .other, "RoadsideAssistance": .other,
    "EquipmentOrSystemFault": .other, "ServiceDisruption": .other,
    "RoadsideServiceDisruption": .other, "RoadOperatorServiceDisruption": .other,
    "TransitInformation": .other,
  ]

  static let managementKinds: [String: IncidentKind] = {
    var kinds: [String: IncidentKind] = [:]
    for word in [
      "roadClosed", "carriagewayClosures", "closedPermanentlyForTheWinter", "overnightClosures",
      "intermittentShortTermClosures",
    ] { kinds[word] = .roadClosed }
    for word in [
      "laneClosures", "contraflow", "lanesDeviated", "narrowLanes", "newRoadworksLayout",
      "singleAlternateLineTraffic", "keepToTheLeft", "keepToTheRight", "rollingRoadBlock",
      "doNotUseSpecifiedLanesOrCarriageways", "useSpecifiedLanesOrCarriageways",
      "useOfSpecifiedLanesOrCarriagewaysAllowed", "clearALaneForEmergencyVehicles",
      "clearALaneForSnowploughsAndGrittingVehicles", "hardShoulderRunningInOperation",
      "hardShoulderRunningNotInOperation", "rushHourLaneInOperation",
      "tidalFlowLaneInOperation", "carPoolLaneInOperation",
    ] { kinds[word] = .laneRestriction }
    return kinds
  }()

  static let brokenDown: Set<String> = [
    "brokenDownVehicle", "brokenDownHeavyLorry", "abandonedVehicle", "damagedVehicle",
    "vehicleInDifficulty", "vehicleStuck", "vehicleOnFire",
  ]

  static let causes: [String: IncidentKind] = [
    "accident": .accident, "abnormalTraffic": .congestion, "congestion": .congestion,
    "constructionWork": .construction, "roadMaintenance": .construction,
    "obstruction": .obstacle, "animalPresence": .obstacle, "environmentalObstruction": .obstacle,
    "infrastructureDamageObstruction": .obstacle, "nonWeatherRelatedRoadConditions": .obstacle,
    "vehicleObstruction": .obstacle, "poorEnvironment": .weather,
    "weatherRelatedRoadConditions": .weather, "drivingConditions": .weather,
    "publicEvent": .event, "disturbance": .event, "authorityOperation": .event,
  ]

  static let severities: [String: IncidentImpact] = [
    "highest": .critical, "high": .major, "medium": .minor, "low": .low, "lowest": .low,
    "none": .low,
  ]

  /// Jam factor by the type of abnormal traffic and by how it flows.
  static let jamFactors: [String: Double] = [
    "stationaryTraffic": 9, "trafficBlocked": 9, "queuingTraffic": 7, "stopAndGo": 7,
    "slowTraffic": 5, "heavyTraffic": 3,
  ]

  /// Seconds: the middle of each band, the lower end of the last.
  static let delaysS: [String: Double] = [
    "negligible": 0, "upToTenMinutes": 300, "betweenTenMinutesAndThirtyMinutes": 1200,
    "betweenThirtyMinutesAndOneHour": 2700, "betweenOneHourAndThreeHours": 7200,
    "betweenThreeHoursAndSixHours": 16_200, "longerThanSixHours": 21_600,
  ]

  /// Vehicle types that include every car.
  static let everyCar: Set<String> = ["anyVehicle", "car", "carOrLightVehicle"]

  static let slipRoads: Set<String> = [
    "entrySlipRoad", "exitSlipRoad", "slipRoads", "connectingCarriageway",
  ]

  /// Parts of a road that motor vehicles do not use.
  static let otherWays: Set<String> = ["cycleTrack", "footpath"]

  /// Lanes without general traffic.
  static let besideLanes: Set<String> = [
    "hardShoulder", "emergencyLane", "layBy", "verge", "centralReservation", "busStop",
    "setDownArea", "escapeLane", "cycleLane", "busLane",
  ]

  static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
}
