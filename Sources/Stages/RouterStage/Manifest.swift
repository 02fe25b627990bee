public import Stage

extension RouterStage {
  /// Manifest of the router.
  public static let manifest = Manifest(
    name: "nav-router",
    about: "Computes routes, prices them with traffic, and knows the map's roads.",
    parameters: [
      ParameterDeclaration("map", .path, required: true, "The .navmap or OSM file to route on."),
      ParameterDeclaration(
        "typical_speeds", .path,
        "A file of typical speeds by time of week: profile,NAME,PERCENT,HOURS and WAY,FROM,TO,NAME lines."
      ),
      ParameterDeclaration(
        "policy", .path,
        "A JSON file with the routing policy to start with, as route/policy sets it; one set by a call outlives a restart."
      ),
      ParameterDeclaration(
        "live_hold_s", .double, default: 600, unit: "s", min: 0, max: 86_400,
        "How long a measured speed counts in full where its feed does not say until when it holds."),
      ParameterDeclaration(
        "live_fade_s", .double, default: 600, unit: "s", min: 0, max: 86_400,
        "How long it then fades to what is forecast, typical or free flow."),
      ParameterDeclaration(
        "live_horizon_s", .double, default: 5400, unit: "s", min: 60, max: 86_400,
        "How far ahead of a trip such a speed counts: in full on roads that are reached within the first third, then less in ten equal steps."
      ),
      ParameterDeclaration(
        "forecast_hold_s", .double, default: 3600, unit: "s", min: 0, max: 604_800,
        "How long a forecast without an end counts in full; it fades for as long again."),
      ParameterDeclaration(
        "origin_radius_m", .double, default: 1000, unit: "m", min: 1, max: 10_000,
        "How far a road may lie from the origin."),
      ParameterDeclaration(
        "destination_radius_m", .double, default: 10_000, unit: "m", min: 1, max: 50_000,
        "How far a road may lie from the destination."),
      ParameterDeclaration(
        "matching_radius_m", .double, default: 75, unit: "m", min: 1, max: 10_000,
        "A destination farther than this from any road is off-road."),
      ParameterDeclaration(
        "handle_lease_h", .double, default: 24, unit: "h", min: 0, max: 1000,
        "How long a route's handle lives after its last use."),
      ParameterDeclaration(
        "leases", .int, default: 64, min: 1, max: 10_000,
        "How many handles a vehicle may have; the one longest unused goes first."),
      ParameterDeclaration(
        "engine", .string, default: "offline", values: ["offline", "online", "hybrid"],
        "What answers a request that does not choose: the built-in engine, a server, or the server and else the built-in one."
      ),
      ParameterDeclaration(
        "engine_kind", .string, default: "osrm", values: ["osrm", "valhalla"],
        "What the server speaks."),
      ParameterDeclaration(
        "engine_url", .string,
        "The server's address, http://HOST:PORT; absent means that there is none."),
      ParameterDeclaration(
        "engine_timeout_s", .double, default: 5, unit: "s", min: 0.05, max: 120,
        "How long the server has for an answer."),
      ParameterDeclaration(
        "engine_calls_per_hour", .int, default: 0, min: 0, max: 1_000_000,
        "How many calls to the server an hour of event time may cost; 0 for no bound."),
      ParameterDeclaration(
        "http", .string,
        "HOST:PORT at which OSRM's HTTP API is served; absent means not at all. 127.0.0.1 keeps it to this machine."
      ),
      ParameterDeclaration(
        "http_origins", .strings, default: .strings([]),
        "Origins of web pages that may read the API's answers beside those of this machine; * for all."
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
        "How long the API may work on one question."),
      ParameterDeclaration(
        "http_connections", .int, default: 1024, min: 16, max: 10_000,
        "How many connections the API holds at a time; beyond these the idlest is closed."),
    ],
    inputs: ["traffic/flow", "traffic/incidents"],
    outputs: ["route/progress", "route/closures"],
    serves: [
      "route/calculate", "route/return", "route/refresh", "route/traffic", "route/cancel",
      "route/import", "route/engines", "route/policy", "map/segment", "place/find",
    ])
}
