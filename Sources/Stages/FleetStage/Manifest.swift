public import Stage

extension FleetStage {
  /// Manifest of the fleet simulator.
  public static let manifest = Manifest(
    name: "nav-fleet-simulator",
    about:
      "Simulates many vehicles on random trips, and publishes their fixes and the stack clock.",
    parameters: fleetParameters + driveParameters + noiseParameters,
    outputs: ["location/raw", "_clock"],
    calls: ["navigate/start", "navigate/stop"], ownVehicles: [FleetSettings.dispatcher])

  private static let fleetParameters: [ParameterDeclaration] = [
    ParameterDeclaration(
      "map", .path, required: true, "The .navmap with the roads to use."),
    ParameterDeclaration(
      "vehicles", .int, default: 1_000, min: 1, max: 50_000, "Number of vehicles at a time."),
    ParameterDeclaration(
      "prefix", .string, default: "car",
      "Prefix of their names; followed by their number, with at least five digits."),
    ParameterDeclaration(
      "joins_per_s", .double, default: 1_000, unit: "1/s", min: 1, max: 50_000,
      "Number of vehicles that start per event second at the beginning."),
    ParameterDeclaration(
      "churn_per_min", .double, default: 0, unit: "1/min", min: 0, max: 60_000,
      "Number of vehicles that leave per event minute, the oldest first; new ones replace them."),
    ParameterDeclaration(
      "guided", .double, default: 0, min: 0, max: 1,
      "Share of the vehicles that start navigation on each trip."),
    ParameterDeclaration(
      "rate_hz", .double, default: 1, unit: "Hz", min: 0.01, max: 20,
      "Fixes per event second of each vehicle; the vehicles are evenly distributed over the second."
    ),
    ParameterDeclaration(
      "rate", .double, default: 1, min: 0.01, max: 1000,
      "Event seconds per second of wall-clock time."),
    ParameterDeclaration(
      "start_time", .string, default: "2026-01-01T08:00:00Z", "Event time at the start."),
    ParameterDeclaration(
      "seed", .int, default: 1, min: 0, "Seed of trips and errors; the same seed reproduces them."),
  ]

  private static let driveParameters: [ParameterDeclaration] = [
    ParameterDeclaration(
      "mode", .string, default: "car",
      values: ["car", "truck", "bus", "taxi", "scooter", "bicycle", "pedestrian"],
      "Travel mode of the vehicles."),
    ParameterDeclaration(
      "radius_m", .double, default: 2_500, unit: "m", min: 200, max: 50_000,
      "Trips end within this distance of the vehicle's first location."),
    ParameterDeclaration(
      "stop_s", .double, default: 60, unit: "s", min: 0, max: 86_400,
      "Longest rest between two trips; each rest is random."),
    ParameterDeclaration(
      "speed_factor", .double, default: 1, min: 0.05, max: 10,
      "Speed as a factor of the usual speed of each road."),
  ]

  private static let noiseParameters: [ParameterDeclaration] = [
    ParameterDeclaration(
      "noise_m", .double, default: 2, unit: "m", min: 0, max: 1000,
      "Standard deviation of the independent error of each fix, along each axis."),
    ParameterDeclaration(
      "noise_drift_m", .double, default: 2, unit: "m", min: 0, max: 1000,
      "Standard deviation of the correlated error."),
    ParameterDeclaration(
      "noise_drift_s", .double, default: 60, unit: "s", min: 0, max: 86_400,
      "Correlation time of the correlated error."),
    ParameterDeclaration(
      "noise_speed_mps", .double, default: 0.2, unit: "m/s", min: 0, max: 100,
      "Standard deviation of the speed."),
    ParameterDeclaration(
      "noise_bearing_deg", .double, default: 2, unit: "deg", min: 0, max: 180,
      "Standard deviation of the course."),
    ParameterDeclaration(
      "noise_outlier_share", .double, default: 0, min: 0, max: 1,
      "Share of outliers."),
    ParameterDeclaration(
      "noise_dropout_share", .double, default: 0, min: 0, max: 1,
      "Share of fixes at which the receiver stops for 5 s."),
  ]
}
