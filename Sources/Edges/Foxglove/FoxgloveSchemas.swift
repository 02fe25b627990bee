/// The JSON Schemas of Foxglove's messages, reduced to the fields that are written here.
///
/// Source: docs.foxglove.dev, Message schemas.
enum FoxgloveSchemas {
  private static let time =
    ##"{"type": "object", "title": "time", "properties": {"sec": {"type": "integer", "minimum": 0}, "nsec": {"type": "integer", "minimum": 0, "maximum": 999999999}}}"##

  static let locationFix =
    ##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "foxglove.LocationFix", "type": "object", "properties": {"timestamp": "##
    + time
    + ##", "frame_id": {"type": "string"}, "latitude": {"type": "number"}, "longitude": {"type": "number"}, "altitude": {"type": "number"}, "position_covariance": {"type": "array", "items": {"type": "number"}, "minItems": 9, "maxItems": 9}, "position_covariance_type": {"title": "foxglove.PositionCovarianceType", "oneOf": [{"title": "UNKNOWN", "const": 0}, {"title": "APPROXIMATED", "const": 1}, {"title": "DIAGONAL_KNOWN", "const": 2}, {"title": "KNOWN", "const": 3}]}, "heading": {"type": "number"}, "velocity": {"title": "foxglove.Vector3", "type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}, "z": {"type": "number"}}}}}"##

  static let geoJSON =
    ##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "foxglove.GeoJSON", "type": "object", "properties": {"geojson": {"type": "string"}}}"##

  static let log =
    ##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "foxglove.Log", "type": "object", "properties": {"timestamp": "##
    + time
    + ##", "level": {"title": "foxglove.LogLevel", "oneOf": [{"title": "UNKNOWN", "const": 0}, {"title": "DEBUG", "const": 1}, {"title": "INFO", "const": 2}, {"title": "WARNING", "const": 3}, {"title": "ERROR", "const": 4}, {"title": "FATAL", "const": 5}]}, "message": {"type": "string"}, "name": {"type": "string"}, "file": {"type": "string"}, "line": {"type": "integer", "minimum": 0}}}"##

  /// For messages without a known schema.
  static let any = ##"{"type": "object"}"##
}
