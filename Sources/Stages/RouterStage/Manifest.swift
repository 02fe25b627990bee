public import Stage

extension RouterStage {
  /// Manifest of the router.
  public static let manifest = Manifest(
    name: "nav-router",
    about:
      "Computes routes and their durations with traffic, and answers requests about the map's roads.",
    parameters: [
      ParameterDeclaration("map", .path, required: true, "The .navmap or OSM file to route on."),
      ParameterDeclaration(
        "typical_speeds", .path,
        "A file of typical speeds by time of week: profile,NAME,PERCENT,HOURS and WAY,FROM,TO,NAME lines."
      ),
      ParameterDeclaration(
        "policy", .path,
        "A JSON file with the initial routing policy, as in route/policy; a policy set by a call survives a restart."
      ),
      ParameterDeclaration(
        "live_hold_s", .double, default: 600, unit: "s", min: 0, max: 86_400,
        "Time for which a measured speed is fully used if its feed contains no end."),
      ParameterDeclaration(
        "live_fade_s", .double, default: 600, unit: "s", min: 0, max: 86_400,
        "Time over which it then fades to the forecast, typical or free-flow speed."),
      ParameterDeclaration(
        "live_horizon_s", .double, default: 5400, unit: "s", min: 60, max: 86_400,
        "Look-ahead time for such a speed: fully used on roads that are reached within the first third, then less in ten equal steps."
      ),
      ParameterDeclaration(
        "forecast_hold_s", .double, default: 3600, unit: "s", min: 0, max: 604_800,
        "Time for which a forecast without an end is fully used; it then fades over the same time."),
      ParameterDeclaration(
        "origin_radius_m", .double, default: 1000, unit: "m", min: 1, max: 10_000,
        "Maximum distance of a road from the origin."),
      ParameterDeclaration(
        "destination_radius_m", .double, default: 10_000, unit: "m", min: 1, max: 50_000,
        "Maximum distance of a road from the destination."),
      ParameterDeclaration(
        "matching_radius_m", .double, default: 75, unit: "m", min: 1, max: 10_000,
        "Distance from the nearest road beyond which a destination is off-road."),
      ParameterDeclaration(
        "handle_lease_h", .double, default: 24, unit: "h", min: 0, max: 1000,
        "Lifetime of a route's handle after its last use."),
      ParameterDeclaration(
        "leases", .int, default: 64, min: 1, max: 10_000,
        "Maximum number of handles of a vehicle; the least recently used is removed."),
      ParameterDeclaration(
        "engine", .string, default: "offline", values: ["offline", "online", "hybrid"],
        "Engine for requests that do not select one: the built-in engine, a server, or the server with the built-in engine as fallback."
      ),
      ParameterDeclaration(
        "engine_kind", .string, default: "osrm", values: ["osrm", "valhalla"],
        "API of the server."),
      ParameterDeclaration(
        "engine_url", .string,
        "The server's address, http://HOST:PORT; absent means no server."),
      ParameterDeclaration(
        "engine_timeout_s", .double, default: 5, unit: "s", min: 0.05, max: 120,
        "Timeout for an answer of the server."),
      ParameterDeclaration(
        "engine_calls_per_hour", .int, default: 0, min: 0, max: 1_000_000,
        "Maximum number of calls to the server per hour of event time; 0 means no limit."),
      ParameterDeclaration(
        "http", .string,
        "HOST:PORT at which OSRM's HTTP API is served; absent means not at all. 127.0.0.1 keeps it to this machine."
      ),
      ParameterDeclaration(
        "http_origins", .strings, default: .strings([]),
        "Origins of web pages that may read the API's responses, in addition to those of this machine; * for all."
      ),
      ParameterDeclaration(
        "http_hosts", .strings, default: .strings([]),
        "Names of the API in addition to its address, such as that of a proxy in front; * for all."
      ),
      ParameterDeclaration(
        "http_access", .string, default: "token", values: ["token", "open"],
        "Access to the API of a router in a stack: token requires the printed address, open admits every user of this machine."
      ),
      ParameterDeclaration(
        "http_answer_s", .double, default: 30, unit: "s", min: 0.1, max: 600,
        "Time limit for one request to the API."),
      ParameterDeclaration(
        "http_connections", .int, default: 1024, min: 16, max: 10_000,
        "Maximum number of connections to the API; beyond it, the longest idle one is closed."),
    ],
    inputs: ["traffic/flow", "traffic/incidents"],
    outputs: ["route/progress", "route/closures"],
    serves: [
      "route/calculate", "route/return", "route/refresh", "route/traffic", "route/cancel",
      "route/import", "route/engines", "route/policy", "map/segment", "place/find",
    ])
}
