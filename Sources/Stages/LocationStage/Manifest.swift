public import Stage

extension LocationStage {
  /// Manifest of the location provider.
  public static let manifest = Manifest(
    name: "nav-location-provider",
    about:
      "Publishes fixes of receivers, a recording or a simulated drive, and the stack clock.",
    parameters: sourceParameters + simulatorParameters + noiseParameters,
    inputs: [
      "route/active", "location/raw", "location/matched", "traffic/flow", "traffic/incidents",
    ],
    optionalInputs: ["traffic/flow", "traffic/incidents"],
    outputs: ["location/raw", "_clock"],
    serves: ["location/control"])

  private static let sourceParameters: [ParameterDeclaration] = [
    ParameterDeclaration(
      "source", .string, default: "simulator",
      values: ["simulator", "gpx", "csv", "nmea", "recording", "receivers", "external"],
      "Source of the fixes: recording is a file in any known format; with external, other programs publish them."
    ),
    ParameterDeclaration(
      "file", .path,
      "The recording: GPX, CSV or NMEA; source recording also reads TCX, KML, GeoJSON, JSON records, PLT, OwnTracks."
    ),
    ParameterDeclaration(
      "receivers", .strings,
      "Receivers, the best first: serial:/dev/ttyUSB0@9600, tcp:host:port, udp:port, gpsd:host:2947."
    ),
    ParameterDeclaration(
      "trip", .string,
      "Name or number (from 1) of the trip or track; default: the first with more than one fix."),
    ParameterDeclaration(
      "rate", .double, default: 1, min: 0.01, max: 1000,
      "Event seconds per second of wall-clock time."),
    ParameterDeclaration(
      "interval_s", .double, default: 1, unit: "s", min: 0.02, max: 3600,
      "Interval between fixes of the simulator, and of a recording without times."),
    ParameterDeclaration(
      "loop", .bool, default: false, "Play the recording again from its start, in a new clock run."),
    ParameterDeclaration(
      "max_pause_s", .double, default: 3600, unit: "s", min: 1, max: 31_536_000,
      "A longer pause of a recording is skipped: the clock jumps to the next fix."),
    ParameterDeclaration(
      "nmea_checksum", .string, default: "required", values: ["required", "optional"],
      "With optional, sentences without a checksum are also read; sentences with a wrong one are always refused."
    ),
    ParameterDeclaration(
      "nmea_add_weeks", .int, default: 0, min: 0, max: 4096,
      "Weeks added to each NMEA date; since 2019, old receivers report dates 1024 weeks too early."),
    ParameterDeclaration(
      "wait_for", .string, default: "none", values: ["none", "route"],
      "Hold a recording at its first fix until a route is active."),
    ParameterDeclaration(
      "priority", .int, default: 0, min: -1000, max: 1000,
      "Of several live sources, the one with the highest priority is used."),
    ParameterDeclaration(
      "start_time", .string, default: "2026-01-01T08:00:00Z",
      "Event time at the start of a drive, or of a recording with times relative to its start."),
  ]

  private static let simulatorParameters: [ParameterDeclaration] = [
    ParameterDeclaration(
      "start_at", .string, "Start location of the simulated vehicle: lat,lon."),
    ParameterDeclaration(
      "start_bearing_deg", .double, default: 0, unit: "deg", min: 0, max: 360,
      "Heading at the start, clockwise from north."),
    ParameterDeclaration("map", .path, "The .navmap with the roads for wrong turns."),
    ParameterDeclaration(
      "mode", .string, default: "car",
      values: ["car", "truck", "bus", "taxi", "scooter", "bicycle", "pedestrian"],
      "Travel mode of the simulated vehicle."),
    ParameterDeclaration(
      "speed_factor", .double, default: 1, min: 0.05, max: 10,
      "Speed as a factor of the usual speed of each road."),
    ParameterDeclaration(
      "wrong_turn_at_m", .double, unit: "m", min: 0,
      "Distance driven after which it leaves the route at the next junction."),
    ParameterDeclaration(
      "wrong_turn_length_m", .double, default: 1000, unit: "m", min: 50, max: 100_000,
      "Distance that it then continues before it stops, if no new route is published."),
    ParameterDeclaration(
      "signals", .string, default: "wait", values: ["wait", "ignore"],
      "With wait, it waits at red traffic signals of the map: 10 of every 40 s, depending on their nodes."
    ),
    ParameterDeclaration(
      "stopover_s", .double, default: 5, unit: "s", min: 0, max: 86_400,
      "Stop time at a stopover without a rest."),
  ]

  private static let noiseParameters: [ParameterDeclaration] = [
    ParameterDeclaration(
      "seed", .int, default: 1, min: 0, "Seed of the noise; the same seed reproduces it."),
    ParameterDeclaration(
      "noise_m", .double, default: 0, unit: "m", min: 0, max: 1000,
      "Standard deviation of the independent error of each fix, along each axis."),
    ParameterDeclaration(
      "noise_drift_m", .double, default: 0, unit: "m", min: 0, max: 1000,
      "Standard deviation of the correlated error."),
    ParameterDeclaration(
      "noise_drift_s", .double, default: 60, unit: "s", min: 0, max: 86_400,
      "Correlation time of the correlated error."),
    ParameterDeclaration(
      "noise_speed_mps", .double, default: 0, unit: "m/s", min: 0, max: 100,
      "Standard deviation of the speed."),
    ParameterDeclaration(
      "noise_bearing_deg", .double, default: 0, unit: "deg", min: 0, max: 180,
      "Standard deviation of the course."),
    ParameterDeclaration(
      "noise_outlier_share", .double, default: 0, min: 0, max: 1,
      "Share of outliers."),
    ParameterDeclaration(
      "noise_outlier_m", .double, default: 300, unit: "m", min: 0, max: 100_000,
      "Distance of outliers."),
    ParameterDeclaration(
      "noise_dropout_share", .double, default: 0, min: 0, max: 1,
      "Share of fixes at which the receiver stops."),
    ParameterDeclaration(
      "noise_dropout_s", .double, default: 5, unit: "s", min: 0, max: 3600,
      "Duration of such a stop."),
    ParameterDeclaration(
      "tunnel_fixes", .bool, default: false, "Publish fixes in tunnels, too."),
  ]
}
