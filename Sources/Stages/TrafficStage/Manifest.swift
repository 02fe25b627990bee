public import Stage

extension TrafficStage {
  /// Manifest of the traffic node.
  public static let manifest = Manifest(
    name: "nav-traffic",
    about:
      "Publishes traffic from a scenario in event time, a speed table, and incident feeds.",
    parameters: [
      ParameterDeclaration("map", .path, required: true, "The .navmap or OSM file of the roads."),
      ParameterDeclaration(
        "scenario", .path, "A JSON file of traffic events with place and time; see docs/guides."),
      ParameterDeclaration(
        "speeds", .path, "A CSV of from-node,to-node,km/h as for OSRM; valid from the start."),
      ParameterDeclaration(
        "geojson", .path,
        "A GeoJSON file of incidents; reloaded when it changes. See docs/architecture/traffic.md."
      ),
      ParameterDeclaration(
        "datex", .path,
        "A DATEX II SituationPublication (XML, version 3 or 2); reloaded when it changes."),
      ParameterDeclaration(
        "language", .string,
        "Language of incident texts if a feed contains several, such as de; default: the publisher's."
      ),
      ParameterDeclaration(
        "begin", .string, default: "route", values: ["clock", "route"],
        "Origin of the scenario's seconds: the start of the clock, or the first active route."),
    ],
    inputs: ["route/active"],
    outputs: ["traffic/flow", "traffic/incidents"])
}
