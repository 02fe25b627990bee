public import Stage

extension RegionStage {
  /// What the regions node is, reads, writes, serves and can be told.
  public static let manifest = Manifest(
    name: "nav-regions",
    about: "Fetches the regions of the map that are needed and missing, in the background.",
    parameters: [
      ParameterDeclaration(
        "map", .path, required: true,
        "The folder of installed maps, which all nodes of the stack join; a single file takes no regions."
      ),
      ParameterDeclaration(
        "source", .string, required: true,
        "Where regions come from: a folder that nav map catalogue has gone through, or its http or https address."
      ),
      ParameterDeclaration(
        "around_m", .double, default: 20_000, unit: "m", min: 0, max: 1_000_000,
        "Regions that come this near to the vehicle are fetched, and those along its route."),
      ParameterDeclaration(
        "retry_s", .double, default: 30, unit: "s", min: 1, max: 86_400,
        "How long after a failure the source is asked again."),
      ParameterDeclaration(
        "refresh_s", .double, default: 3600, unit: "s", min: 10, max: 2_592_000,
        "How often the catalogue of the source is read anew."),
    ],
    inputs: ["location/matched", "route/active"],
    outputs: ["map/regions"],
    serves: ["map/fetch"])
}
