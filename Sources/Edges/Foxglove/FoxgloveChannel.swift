public import BusProtocol
import Geodesy
import MessagePack
import SchemaTexts

/// A topic of the bus as Foxglove shows it: a channel of JSON messages with a schema.
public struct FoxgloveChannel: Hashable, Sendable {
  /// The format to which the messages are converted.
  enum Form: Hashable, Sendable {
    case locationFix
    case geoJSON
    case log
    /// The payload itself.
    case payload
  }

  /// The topic on the bus with a leading `/`.
  public let topic: String
  public let schemaName: String
  /// A JSON Schema.
  public let schema: String
  let form: Form

  /// Creates the channel of a topic (with its vehicle) whose messages have this schema, such as
  /// `route_active/1.0`.
  public init(topic: String, schema: String) {
    self.topic = "/" + topic
    let leaf = TopicName.split(topic).leaf
    switch leaf {
    case "location/raw", "location/matched", "location/smoothed", "location/interpolated":
      form = .locationFix
      schemaName = "foxglove.LocationFix"
      self.schema = FoxgloveSchemas.locationFix
    case "route/active", "route/better", "route/alternatives":
      form = .geoJSON
      schemaName = "foxglove.GeoJSON"
      self.schema = FoxgloveSchemas.geoJSON
    case "voice/announcement", "guidance/reroute", "guidance/arrival", "guidance/deviation",
      "guidance/warning", "route/error":
      form = .log
      schemaName = "foxglove.Log"
      self.schema = FoxgloveSchemas.log
    case _ where leaf.hasPrefix("_log/"):
      form = .log
      schemaName = "foxglove.Log"
      self.schema = FoxgloveSchemas.log
    default:
      form = .payload
      schemaName = schema.isEmpty ? leaf : schema
      self.schema = SchemaTexts.text(schema) ?? FoxgloveSchemas.any
    }
  }

  /// A message of the topic as JSON.
  ///
  /// Returns nil for a message without content in this format, and for a payload that is not
  /// MessagePack.
  public func json(_ frame: Frame) -> String? {
    let payload: MessagePackValue
    if frame.payload.isEmpty {
      // A state that was deleted.
      guard form == .geoJSON else { return nil }
      payload = .map([])
    } else {
      guard let value = try? MessagePackValue(decoding: frame.payload) else { return nil }
      payload = value
    }
    switch form {
    case .locationFix: return Self.locationFix(payload, frame)?.json()
    case .geoJSON:
      return MessagePackValue.map([.init("geojson", .string(Self.routes(payload)))]).json()
    case .log: return Self.log(payload, frame).json()
    case .payload: return payload.json()
    }
  }

  private static func time(_ nanoseconds: Int64) -> MessagePackValue {
    let positive = max(0, nanoseconds)
    return .map([
      .init("sec", .int(positive / 1_000_000_000)), .init("nsec", .int(positive % 1_000_000_000)),
    ])
  }

  // MARK: Locations

  private static func locationFix(_ payload: MessagePackValue, _ frame: Frame) -> MessagePackValue?
  {
    let raw = payload["raw"]
    func number(_ key: String) -> Double? { payload[key]?.double ?? raw?[key]?.double }
    guard let latitude = number("lat_deg"), let longitude = number("lon_deg") else { return nil }
    let stampNS = payload["time_ns"]?.int ?? frame.header.stampNS
    var entries: [MessagePackValue.Entry] = [
      .init("timestamp", time(stampNS)),
      .init("frame_id", .string(TopicName.split(frame.topic).vehicle ?? "")),
      .init("latitude", .double(latitude)), .init("longitude", .double(longitude)),
      .init("altitude", .double(number("altitude_m") ?? 0)),
    ]
    // 68 % of a plane's normal error lie within 1.51 of its sigma.
    let sigmaM = number("accuracy_m").map { $0 / 1.51 }
    var covariance = [Double](repeating: 0, count: 9)
    if let sigmaM { (covariance[0], covariance[4]) = (sigmaM * sigmaM, sigmaM * sigmaM) }
    entries.append(.init("position_covariance", .array(covariance.map { .double($0) })))
    entries.append(.init("position_covariance_type", .int(sigmaM == nil ? 0 : 1)))
    if let bearingDeg = number("bearing_deg") {
      let bearing = bearingDeg * .pi / 180
      entries.append(.init("heading", .double(bearing)))
      if let speed = number("speed_mps") {
        let plane = PlanePoint(bearingDeg: bearingDeg, lengthM: speed)
        entries.append(
          .init(
            "velocity",
            .map([
              .init("x", .double(plane.eastM)), .init("y", .double(plane.northM)),
              .init("z", .double(0)),
            ])))
      }
    }
    return .map(entries)
  }

  // MARK: Routes

  /// The routes of a message as a collection of GeoJSON: a line and the waypoints of each.
  private static func routes(_ payload: MessagePackValue) -> String {
    let routes = payload["routes"]?.elements ?? payload["route"].map { [$0] } ?? []
    let features = routes.flatMap { route -> [MessagePackValue] in
      guard let shape = route["shape"]?.string, let line = try? EncodedPolyline.decode(shape) else {
        return []
      }
      let properties = ["id", "length_m", "duration_traffic_s", "duration_latest_s"].compactMap {
        key in
        route[key].map { MessagePackValue.Entry(key, $0) }
      }
      let places = (route["waypoints"]?.elements ?? []).compactMap {
        waypoint -> MessagePackValue? in
        guard let latitude = waypoint["matched_lat_deg"]?.double,
          let longitude = waypoint["matched_lon_deg"]?.double
        else { return nil }
        return feature("Point", point(latitude, longitude), [.init("route", route["id"] ?? .null)])
      }
      let points = line.map { point($0.latitudeDeg, $0.longitudeDeg) }
      return [feature("LineString", .array(points), properties)] + places
    }
    return MessagePackValue.map([
      .init("type", .string("FeatureCollection")), .init("features", .array(features)),
    ]).json()
  }

  private static func point(_ latitude: Double, _ longitude: Double) -> MessagePackValue {
    .array([.double(longitude), .double(latitude)])
  }

  private static func feature(
    _ type: String, _ coordinates: MessagePackValue, _ properties: [MessagePackValue.Entry]
  ) -> MessagePackValue {
    .map([
      .init("type", .string("Feature")), .init("properties", .map(properties)),
      .init(
        "geometry",
        .map([.init("type", .string(type)), .init("coordinates", coordinates)])),
    ])
  }

  // MARK: Log

  private static let levels = ["debug": 1, "info": 2, "warning": 3, "error": 4]

  private static func log(_ payload: MessagePackValue, _ frame: Frame) -> MessagePackValue {
    let leaf = TopicName.split(frame.topic).leaf
    let isAlert = leaf == "guidance/warning" || leaf == "route/error"
    let level = payload["level"]?.string.flatMap { levels[$0] } ?? (isAlert ? 3 : 2)
    let isSentence = leaf == "voice/announcement" || leaf.hasPrefix("_log/")
    let text = isSentence ? payload["text"]?.string : nil
    return .map([
      .init("timestamp", time(frame.header.stampNS)), .init("level", .int(Int64(level))),
      .init("message", .string(text ?? "\(leaf): \(payload.json())")),
      .init("name", .string(payload["node"]?.string ?? frame.header.source)),
      .init("file", .string("")), .init("line", .int(0)),
    ])
  }
}

extension MessagePackValue {
  /// The values of an array; nil for anything else.
  fileprivate var elements: [MessagePackValue]? {
    guard case .array(let values) = self else { return nil }
    return values
  }
}
