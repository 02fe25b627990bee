/// The kinds of warnings.
public enum WarningKind: String, Codable, Hashable, Sendable, CaseIterable {
  case safetyCamera = "safety_camera"
  case roadSign = "road_sign"
  case schoolZone = "school_zone"
  case railwayCrossing = "railway_crossing"
  case border
  case tollStop = "toll_stop"
  case trafficMerge = "traffic_merge"
  case laneDecrease = "lane_decrease"
  case dangerZone = "danger_zone"
  case lowSpeedZone = "low_speed_zone"
  case environmentalZone = "environmental_zone"
  case truckRestriction = "truck_restriction"
  case incident
  case jamEnd = "jam_end"
  case trafficSignals = "traffic_signals"
  case stopSign = "stop"
  case giveWay = "give_way"
  case speedBump = "speed_bump"
  case sharpBend = "sharp_bend"
  case tunnel
  case custom
}
