public import Stage

extension TrafficStage {
  /// Manifest of the traffic node.
  public static let manifest = Manifest(
    name: "nav-traffic",
    about:
      "Publishes traffic from a scenario played in event time, a speed table, and feeds of incidents.",
    parameters: [
      ParameterDeclaration("map", .path, required: true, "The .navmap or OSM file of the roads."),
      ParameterDeclaration(
        "scenario", .path, "A JSON file of what happens where and when; see docs/guides."),
      ParameterDeclaration(
        "speeds", .path, "A CSV of from-node,to-node,km/h as OSRM reads it; holds from the start."),
      ParameterDeclaration(
        "geojson", .path,
        "A GeoJSON file of incidents; read again when it changes. See docs/architecture/traffic.md."
      ),
      ParameterDeclaration(
        "datex", .path,
        "A DATEX II SituationPublication (XML, version 3 or 2); read again when it changes."),
      ParameterDeclaration(
        "language", .string,
        "Language of incident texts where a feed has several, such as de; else the publisher's."),
      ParameterDeclaration(
        "begin", .string, default: "route", values: ["clock", "route"],
        "What the scenario's seconds count from: the clock's start, or the first active route."),
    ],
    inputs: ["route/active"],
    outputs: ["traffic/flow", "traffic/incidents"])
}
