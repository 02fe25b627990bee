import MapMatching
public import Stage

extension MatcherStage {
  /// Manifest of the map matcher.
  public static let manifest = Manifest(
    name: "nav-map-matcher",
    about: "Matches position fixes to the roads of the map.",
    parameters: [
      ParameterDeclaration("map", .path, required: true, "The .navmap to match to."),
      ParameterDeclaration(
        "mode", .string, default: "car",
        values: ["car", "truck", "bus", "taxi", "scooter", "bicycle", "pedestrian"],
        "Travel mode: determines which roads can be matched."),
      ParameterDeclaration(
        "default_sigma_m", .double, default: .double(MatcherTuning().defaultSigmaM), unit: "m",
        min: 1, max: 50,
        "Standard deviation of fixes without an accuracy."),
      ParameterDeclaration(
        "route_prior", .double, default: .double(MatcherTuning().routeNats), min: 0, max: 5,
        "Log-probability that the active route adds to its roads with each fix; 0 for none."),
      ParameterDeclaration(
        "smoothing", .string, default: "lag", values: Smoothing.Rule.allCases.map(\.rawValue),
        "When location/smoothed is published: after the lag, or as soon as all likely paths converge, at the latest after the lag."
      ),
      ParameterDeclaration(
        "lag_fixes", .int, default: 0, unit: "fixes", min: 0, max: 1000,
        "Maximum lag in fixes; 0 means 5, or 100 with agreed."),
      ParameterDeclaration(
        "lag_s", .double, default: 0, unit: "s", min: 0, max: 3600,
        "Maximum lag in seconds; 0 means 10, or 100 with agreed."),
      ParameterDeclaration(
        "tunnel_extrapolation", .bool, default: true,
        "Estimate locations in tunnels, until 10 s after their end."),
      ParameterDeclaration(
        "extrapolation", .bool, default: true,
        "Estimate locations if fixes are missing for up to 5 s."),
      ParameterDeclaration(
        "estimate_interval_s", .double, default: 1, unit: "s", min: 0.05, max: 10,
        "Interval between estimated locations."),
      ParameterDeclaration(
        "interpolate", .string, default: "asked", values: ["asked", "always"],
        "Whether location/interpolated is published always, or only on request."),
      ParameterDeclaration(
        "guidance_hz", .double, default: 30, unit: "Hz", min: 1, max: 240,
        "Interpolated locations per second with an active route, if no renderer requests a frame rate."
      ),
      ParameterDeclaration(
        "free_hz", .double, default: 60, unit: "Hz", min: 1, max: 240,
        "Interpolated locations per second without a route, if no renderer requests a frame rate."),
    ],
    inputs: ["location/raw", "route/active", "scene/settings"],
    requires: ["location/raw"], optionalInputs: ["scene/settings"],
    outputs: ["location/matched", "location/smoothed", "location/interpolated"],
    serves: ["match/trace", "location/interpolate"])
}
