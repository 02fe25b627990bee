import Documents

/// Why a request is not answered, in OSRM's terms.
///
/// Clients distinguish faults by `code`, so its values are those of OSRM's v5 API; each is sent
/// with status 400.
public struct OSRMFault: Error, Hashable, Sendable {
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case invalidUrl = "InvalidUrl"
    case invalidService = "InvalidService"
    case invalidVersion = "InvalidVersion"
    case invalidOptions = "InvalidOptions"
    case invalidQuery = "InvalidQuery"
    case invalidValue = "InvalidValue"
    case noSegment = "NoSegment"
    case tooBig = "TooBig"
    case noRoute = "NoRoute"
    case noTable = "NoTable"
    case noMatch = "NoMatch"
    case notImplemented = "NotImplemented"
  }

  public var code: Code
  /// A sentence for people.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The response body.
  public var json: [UInt8] {
    var json = JSONText()
    json.object { write(&$0) }
    return json.bytes
  }

  /// Writes the members of the response body.
  func write(_ json: inout JSONText) {
    json.field("code", code.rawValue)
    json.field("message", message)
  }

  /// The fault of a trace of which no point is on a road.
  public static let unmatched = OSRMFault(.noMatch, "Could not match the trace.")
}
