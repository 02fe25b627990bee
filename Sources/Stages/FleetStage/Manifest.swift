public import Stage

extension FleetStage {
  /// Manifest of the fleet simulator.
  public static let manifest = Manifest(
    name: "nav-fleet-simulator",
    about: "Drives many vehicles on random trips, gives their fixes, and the stack its time.",
    parameters: fleetParameters + driveParameters + noiseParameters,
    outputs: ["location/raw", "_clock"],
    calls: ["navigate/start", "navigate/stop"], ownVehicles: [FleetSettings.dispatcher])

  private static let fleetParameters: [ParameterDeclaration] = [
    ParameterDeclaration(
      "map", .path, required: true, "The .navmap with the roads on which they drive."),
    ParameterDeclaration(
      "vehicles", .int, default: 1_000, min: 1, max: 50_000, "How many drive at a time."),
    ParameterDeclaration(
      "prefix", .string, default: "car",
      "What their names begin with; the rest is their number, with five digits or more."),
    ParameterDeclaration(
      "joins_per_s", .double, default: 1_000, unit: "1/s", min: 1, max: 50_000,
      "How many more drive with each event second at the start."),
    ParameterDeclaration(
      "churn_per_min", .double, default: 0, unit: "1/min", min: 0, max: 60_000,
      "How many leave in each event minute, the oldest first; as many new ones come."),
    ParameterDeclaration(
      "guided", .double, default: 0, min: 0, max: 1,
      "Share of the vehicles that ask the navigator to lead them on each trip."),
    ParameterDeclaration(
      "rate_hz", .double, default: 1, unit: "Hz", min: 0.01, max: 20,
      "Fixes of each vehicle in an event second; all vehicles together are spread over it evenly."),
    ParameterDeclaration(
      "rate", .double, default: 1, min: 0.01, max: 1000, "Event seconds per second of the wall."),
    ParameterDeclaration(
      "start_time", .string, default: "2026-01-01T08:00:00Z", "Event time at the start."),
    ParameterDeclaration(
      "seed", .int, default: 1, min: 0, "The same seed gives the same trips and the same errors."),
  ]

  private static let driveParameters: [ParameterDeclaration] = [
    ParameterDeclaration(
      "mode", .string, default: "car",
      values: ["car", "truck", "bus", "taxi", "scooter", "bicycle", "pedestrian"],
      "How they travel."),
    ParameterDeclaration(
      "radius_m", .double, default: 2_500, unit: "m", min: 200, max: 50_000,
      "Trips end within so many metres of where the vehicle first came to be."),
    ParameterDeclaration(
      "stop_s", .double, default: 60, unit: "s", min: 0, max: 86_400,
      "Longest rest between two trips; each is drawn anew."),
    ParameterDeclaration(
      "speed_factor", .double, default: 1, min: 0.05, max: 10,
      "Speed as a multiple of what is usual on each road."),
  ]

  private static let noiseParameters: [ParameterDeclaration] = [
    ParameterDeclaration(
      "noise_m", .double, default: 2, unit: "m", min: 0, max: 1000,
      "Standard deviation of each fix for itself, along each axis."),
    ParameterDeclaration(
      "noise_drift_m", .double, default: 2, unit: "m", min: 0, max: 1000,
      "Standard deviation of an error that wanders."),
    ParameterDeclaration(
      "noise_drift_s", .double, default: 60, unit: "s", min: 0, max: 86_400,
      "Seconds after which the wandering error has forgotten itself."),
    ParameterDeclaration(
      "noise_speed_mps", .double, default: 0.2, unit: "m/s", min: 0, max: 100,
      "Standard deviation of the speed."),
    ParameterDeclaration(
      "noise_bearing_deg", .double, default: 2, unit: "deg", min: 0, max: 180,
      "Standard deviation of the course."),
    ParameterDeclaration(
      "noise_outlier_share", .double, default: 0, min: 0, max: 1,
      "Share of fixes that lie somewhere else."),
    ParameterDeclaration(
      "noise_dropout_share", .double, default: 0, min: 0, max: 1,
      "Share of fixes at which the receiver falls silent for 5 s."),
  ]
}
