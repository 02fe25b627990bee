import Speech
public import Stage

extension VoiceStage {
  public static let manifest = Manifest(
    name: "nav-voice-guidance",
    about:
      "Announces maneuvers, warnings and changes of the route when they are due, one at a time.",
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
      "BCP 47 tag of the language to speak; en-US is the fallback for other languages."),
    .init(
      "units", .string, default: "metric", values: Units.allCases.map(\.rawValue),
      "Units of spoken distances."),
    .init(
      "announcements", .string, default: "standard",
      values: AnnouncementStyle.allCases.map(\.rawValue),
      "Amount of information about a maneuver; talkative: the road to follow and the next maneuver right after the last one, and the street once more about 10 s before."
    ),
    .init(
      "kinds", .strings,
      "Announcements of a maneuver: range, reminder, distance, action; absent: all except range, or all if talkative; an empty list: maneuvers are not announced."
    ),
    .init(
      "warnings", .strings,
      default: .strings([
        "safety_camera", "school_zone", "railway_crossing", "danger_zone", "jam_end",
      ]),
      "Spoken warnings, as kinds of guidance/warning."),
  ]

  private static let switches: [ParameterDeclaration] = [
    .init("street_names", .bool, default: true, "Whether to say names of streets."),
    .init("road_numbers", .bool, default: true, "Whether to say road numbers."),
    .init(
      "signposts", .bool, default: true, "Whether to say destinations and exit numbers on signs."),
    .init(
      "double_maneuvers", .bool, default: true,
      "Whether to join two close maneuvers in one sentence."),
    .init(
      "continue", .bool, default: true, "Whether to say the distance to follow after a maneuver."),
    .init(
      "speed_warnings", .bool, default: true,
      "Whether to announce that the speed limit is exceeded."),
    .init("reroutes", .bool, default: true, "Whether to announce deviations and new routes."),
    .init("better_routes", .bool, default: true, "Whether to announce faster routes."),
    .init(
      "closures", .bool, default: true,
      "Whether to announce that a road ahead on the route is closed."),
    .init(
      "signal", .bool, default: true,
      "Whether to announce that the location signal is lost or found."),
    .init("tunnels", .bool, default: true, "Whether to announce tunnels."),
    .init(
      "tunnel_least_m", .double, default: 100, unit: "m", min: 0, max: 100_000,
      "Minimum length of an announced tunnel of the route; gates and underpasses are shorter."),
    .init(
      "repeat_window_s", .double, default: 15, unit: "s", min: 0, max: 600,
      "Time within which no text is spoken twice, unless it concerns another maneuver."),
    .init(
      "signal_lost_s", .double, default: 10, unit: "s", min: 1, max: 600,
      "Time without a location after which the signal is considered lost; at least three location intervals, or 40 s while these are unknown."
    ),
  ]

  private static let sinkParameters: [ParameterDeclaration] = [
    .init(
      "sink", .string, default: "espeak", values: ["none", "espeak", "command"],
      "Speech sink: espeak-ng, a command, or none; the text is published in any case."),
    .init(
      "voice", .string, "Name of the espeak-ng voice; absent: the language's own."),
    .init(
      "wav_dir", .path,
      "Folder into which espeak-ng writes WAV files instead of using the sound device."),
    .init(
      "command", .string,
      "Shell command that speaks: it gets the text on its standard input, and more in NAV_SPEECH_* variables."
    ),
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
          max: 100_000,
          "Distance within which two maneuvers are joined in one sentence, profile \(profile.rawValue)."
        ))
      declarations.append(
        .init(
          "\(profile.rawValue)_continue_m", .double, default: .double(row.continueM), unit: "m",
          min: 1, max: 1_000_000,
          "Distance to the next maneuver from which \"continue\" is announced, profile \(profile.rawValue)."
        ))
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
        "Time of action before the maneuver; absent: \(Int(AnnouncementStyle.standard.defaultActionS)), or \(Int(AnnouncementStyle.talkative.defaultActionS)) if talkative."
      ))
    return declarations
  }()
}
