import Speech
public import Stage

extension VoiceStage {
  public static let manifest = Manifest(
    name: "nav-voice-guidance",
    about: "Says maneuvers, warnings and news of the route when they are due, one at a time.",
    parameters: speechParameters + switches + sinkParameters + timingParameters,
    inputs: [
      "route/active", "route/better", "guidance/progress", "guidance/maneuver",
      "guidance/deviation",
      "guidance/reroute", "guidance/milestone", "guidance/arrival", "guidance/offroad",
      "guidance/warning", "guidance/speed", "guidance/road", "voice/spoken",
    ],
    outputs: ["voice/announcement", "voice/spoken"],
    serves: ["voice/repeat"])

  private static let speechParameters: [ParameterDeclaration] = [
    .init(
      "language", .string, default: "en-US",
      "BCP 47 tag of the language to speak; one that is not there falls back to en-US."),
    .init(
      "units", .string, default: "metric", values: Units.allCases.map(\.rawValue),
      "The units that distances are said in."),
    .init(
      "announcements", .string, default: "standard",
      values: AnnouncementStyle.allCases.map(\.rawValue),
      "How much is said of a maneuver; talkative: right after the last maneuver the road to follow and what comes then, and the street once more about 10 s before."
    ),
    .init(
      "kinds", .strings,
      "Announcements of a maneuver: range, reminder, distance, action; absent: all but range, or all when talkative; an empty list: maneuvers are not announced."
    ),
    .init(
      "warnings", .strings,
      default: .strings([
        "safety_camera", "school_zone", "railway_crossing", "danger_zone", "jam_end",
      ]),
      "Warners that are said, by their kinds on guidance/warning."),
  ]

  private static let switches: [ParameterDeclaration] = [
    .init("street_names", .bool, default: true, "Says names of streets."),
    .init("road_numbers", .bool, default: true, "Says road numbers."),
    .init("signposts", .bool, default: true, "Says destinations and exit numbers on signs."),
    .init("double_maneuvers", .bool, default: true, "Joins two close maneuvers in one sentence."),
    .init("continue", .bool, default: true, "Says how long the way is after a maneuver."),
    .init("speed_warnings", .bool, default: true, "Says that the speed limit is exceeded."),
    .init("reroutes", .bool, default: true, "Says that the route was left and computed anew."),
    .init("better_routes", .bool, default: true, "Says that there is a faster route."),
    .init("closures", .bool, default: true, "Announces that a road ahead on the route is closed."),
    .init("signal", .bool, default: true, "Says that locations fail to come, and come again."),
    .init("tunnels", .bool, default: true, "Says that a tunnel begins."),
    .init(
      "tunnel_least_m", .double, default: 100, unit: "m", min: 0, max: 100_000,
      "Shorter tunnels of the route, such as gates and underpasses, are not announced."),
    .init(
      "repeat_window_s", .double, default: 15, unit: "s", min: 0, max: 600,
      "No text is spoken twice within this time, unless it concerns another maneuver."),
    .init(
      "signal_lost_s", .double, default: 10, unit: "s", min: 1, max: 600,
      "Time without a location after which the signal counts as lost; at least three location intervals, or 40 s while these are unknown."
    ),
  ]

  private static let sinkParameters: [ParameterDeclaration] = [
    .init(
      "sink", .string, default: "espeak", values: ["none", "espeak", "command"],
      "Who speaks: espeak-ng, a command, or nobody here; the text goes out in any case."),
    .init(
      "voice", .string, "Name of the espeak-ng voice; absent: the language's own."),
    .init(
      "wav_dir", .path,
      "Folder into which espeak-ng writes WAV files instead of speaking to the device."),
    .init(
      "command", .string,
      "Shell command that speaks: the text on its standard input, more in NAV_SPEECH_* variables."),
    .init(
      "latency_ms", .double, default: 100, unit: "ms", min: 0, max: 5000,
      "Time from an announcement to its first sound."),
  ]

  private static let timingParameters: [ParameterDeclaration] = {
    let table = TimingTable()
    var declarations: [ParameterDeclaration] = []
    for profile in TimingProfile.allCases {
      let row = table[profile]
      for kind in AnnouncementKind.allCases {
        declarations.append(
          .init(
            "\(profile.rawValue)_\(kind.rawValue)_m", .double,
            default: .double(row[kind].distanceM), unit: "m", min: 0, max: 100_000,
            "Distance of \(kind.rawValue), profile \(profile.rawValue)."))
      }
      declarations.append(
        .init(
          "\(profile.rawValue)_double_m", .double, default: .double(row.doubleM), unit: "m", min: 0,
          max: 100_000, "Maneuvers not farther apart are one sentence, profile \(profile.rawValue)."
        ))
      declarations.append(
        .init(
          "\(profile.rawValue)_continue_m", .double, default: .double(row.continueM), unit: "m",
          min: 1, max: 1_000_000,
          "From so far on one is told to continue, profile \(profile.rawValue)."))
    }
    for kind in AnnouncementKind.allCases where kind != .action {
      declarations.append(
        .init(
          "\(kind.rawValue)_s", .double, default: .double(table[.slow][kind].timeS), unit: "s",
          min: 0, max: 3600, "Time of \(kind.rawValue) before the maneuver."))
    }
    declarations.append(
      .init(
        "action_s", .double, unit: "s", min: 0, max: 3600,
        "Time of action before the maneuver; absent: \(Int(AnnouncementStyle.standard.defaultActionS)), or \(Int(AnnouncementStyle.talkative.defaultActionS)) when talkative."
      ))
    return declarations
  }()
}
