public import Stage

extension RegionStage {
  /// Manifest of the regions node.
  public static let manifest = Manifest(
    name: "nav-regions",
    about: "Fetches missing regions of the map in the background.",
    parameters: [
      ParameterDeclaration(
        "map", .path, required: true,
        "The folder of installed maps, which all nodes of the stack read. Must not be a single file."
      ),
      ParameterDeclaration(
        "source", .string, required: true,
        "Where regions are fetched from: a folder with a regions.json (nav map catalogue), or its http or https address."
      ),
      ParameterDeclaration(
        "around_m", .double, default: 20_000, unit: "m", min: 0, max: 1_000_000,
        "Regions within this distance of the vehicle are fetched, in addition to those along its route."
      ),
      ParameterDeclaration(
        "retry_s", .double, default: 30, unit: "s", min: 1, max: 86_400,
        "Time between a failure and the next attempt."),
      ParameterDeclaration(
        "refresh_s", .double, default: 3600, unit: "s", min: 10, max: 2_592_000,
        "Time between two reads of the catalogue."),
    ],
    inputs: ["location/matched", "route/active"],
    outputs: ["map/regions"],
    serves: ["map/fetch"])
}
