import MapMatching
public import Stage

extension MatcherStage {
  /// Manifest of the map matcher.
  public static let manifest = Manifest(
    name: "nav-map-matcher",
    about: "Puts position fixes on the roads of the map.",
    parameters: [
      ParameterDeclaration("map", .path, required: true, "The .navmap to match to."),
      ParameterDeclaration(
        "mode", .string, default: "car",
        values: ["car", "truck", "bus", "taxi", "scooter", "bicycle", "pedestrian"],
        "How one travels: decides which roads can be matched."),
      ParameterDeclaration(
        "default_sigma_m", .double, default: .double(MatcherTuning().defaultSigmaM), unit: "m",
        min: 1, max: 50,
        "Standard deviation of fixes that tell no accuracy."),
      ParameterDeclaration(
        "route_prior", .double, default: .double(MatcherTuning().routeNats), min: 0, max: 5,
        "What the active route adds to the belief in its roads with each fix; 0 for nothing."),
      ParameterDeclaration(
        "smoothing", .string, default: "lag", values: Smoothing.Rule.allCases.map(\.rawValue),
        "When location/smoothed is told: after the lag, or as soon as all likely ways agree and at the lag at the latest."
      ),
      ParameterDeclaration(
        "lag_fixes", .int, default: 0, unit: "fixes", min: 0, max: 1000,
        "Fixes for which a smoothed answer waits at most; 0 for 5, or 100 where they agree."),
      ParameterDeclaration(
        "lag_s", .double, default: 0, unit: "s", min: 0, max: 3600,
        "Seconds for which it waits at most; 0 for 10, or 100 where they agree."),
      ParameterDeclaration(
        "tunnel_extrapolation", .bool, default: true,
        "Estimate locations in tunnels, until 10 s behind their end."),
      ParameterDeclaration(
        "extrapolation", .bool, default: true,
        "Estimate locations where fixes stay away for up to 5 s."),
      ParameterDeclaration(
        "estimate_interval_s", .double, default: 1, unit: "s", min: 0.05, max: 10,
        "Between estimated locations."),
      ParameterDeclaration(
        "interpolate", .string, default: "asked", values: ["asked", "always"],
        "Whether location/interpolated is made only while somebody asks for it."),
      ParameterDeclaration(
        "guidance_hz", .double, default: 30, unit: "Hz", min: 1, max: 240,
        "Interpolated locations a second with an active route, where no renderer says its frame rate."
      ),
      ParameterDeclaration(
        "free_hz", .double, default: 60, unit: "Hz", min: 1, max: 240,
        "Interpolated locations a second without one, where no renderer says its frame rate."),
    ],
    inputs: ["location/raw", "route/active", "scene/settings"],
    requires: ["location/raw"], optionalInputs: ["scene/settings"],
    outputs: ["location/matched", "location/smoothed", "location/interpolated"],
    serves: ["match/trace", "location/interpolate"])
}
