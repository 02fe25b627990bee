import Speech
import Stage

import enum Route.WarningKind

/// The language and the settings shared by all vehicles of a voice process.
public struct VoiceSettings: Sendable {
  let language: any Language
  let units: Units
  let timing: AnnouncementTiming.Tuning
  let arbiter: Arbiter.Tuning
  let warners: Set<WarningKind>
  let names: Names
  let saysSpeedWarnings: Bool
  let saysReroutes: Bool
  let saysBetterRoutes: Bool
  let saysClosures: Bool
  let saysSignal: Bool
  let saysTunnels: Bool
  let signalLostS: Double
  let leastTunnelM: Double
  /// Name of the espeak-ng voice.
  public let voice: String
  /// Log lines for the start.
  let notes: [String]

  /// Which names are spoken.
  struct Names: Hashable, Sendable {
    var streets: Bool
    var numbers: Bool
    var signposts: Bool
  }

  /// - Throws: `StageFailure` for unknown kinds and warners, and for times and distances in an
  ///   impossible order.
  init(_ parameters: Parameters) throws(StageFailure) {
    let tag = parameters.string("language") ?? "en-US"
    let found = Languages.find(tag)
    language = found.language
    notes = found.note.map { [$0] } ?? []
    units = Units(rawValue: parameters.string("units") ?? "") ?? .metric
    voice = parameters.string("voice") ?? found.language.voice
    timing = try Self.timing(parameters)
    arbiter = Self.arbiter(parameters)
    warners = Set(try Self.words(parameters, "warnings", of: WarningKind.self))
    names = Names(
      streets: parameters.bool("street_names"), numbers: parameters.bool("road_numbers"),
      signposts: parameters.bool("signposts"))
    saysSpeedWarnings = parameters.bool("speed_warnings")
    saysReroutes = parameters.bool("reroutes")
    saysBetterRoutes = parameters.bool("better_routes")
    saysClosures = parameters.bool("closures")
    saysSignal = parameters.bool("signal")
    saysTunnels = parameters.bool("tunnels")
    signalLostS = parameters.double("signal_lost_s")
    leastTunnelM = parameters.double("tunnel_least_m")
    if parameters.string("sink") == "command", (parameters.string("command") ?? "").isEmpty {
      throw StageFailure("sink is command, but the parameter \"command\" is missing")
    }
  }

  private static func arbiter(_ parameters: Parameters) -> Arbiter.Tuning {
    var tuning = Arbiter.Tuning()
    tuning.hasSink = parameters.string("sink") != "none"
    tuning.repeatWindowS = parameters.double("repeat_window_s")
    return tuning
  }

  private static func timing(
    _ parameters: Parameters
  ) throws(StageFailure) -> AnnouncementTiming.Tuning {
    var tuning = AnnouncementTiming.Tuning()
    tuning.style =
      AnnouncementStyle(rawValue: parameters.string("announcements") ?? "") ?? .standard
    tuning.kinds =
      parameters.values["kinds"] == nil
      ? Set(tuning.style.defaultKinds)
      : Set(try words(parameters, "kinds", of: AnnouncementKind.self))
    let actionS = parameters.optionalDouble("action_s") ?? tuning.style.defaultActionS
    tuning.joinsManeuvers = parameters.bool("double_maneuvers")
    tuning.saysContinue = parameters.bool("continue") && !tuning.kinds.isEmpty
    tuning.latencyS = parameters.double("latency_ms") / 1000
    for profile in TimingProfile.allCases {
      var row = tuning.table[profile]
      for kind in AnnouncementKind.allCases {
        row[kind] = .init(
          distanceM: parameters.double("\(profile.rawValue)_\(kind.rawValue)_m"),
          timeS: kind == .action ? actionS : parameters.double("\(kind.rawValue)_s"))
      }
      row.doubleM = parameters.double("\(profile.rawValue)_double_m")
      row.continueM = parameters.double("\(profile.rawValue)_continue_m")
      do throws(TimingError) {
        try tuning.table.set(row, for: profile)
      } catch {
        throw StageFailure(error.message)
      }
    }
    return tuning
  }

  private static func words<Word: RawRepresentable<String> & CaseIterable>(
    _ parameters: Parameters, _ name: String, of _: Word.Type
  ) throws(StageFailure) -> [Word] {
    var known: [Word] = []
    for word in parameters.strings(name) {
      guard let value = Word(rawValue: word) else {
        let all = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw StageFailure("\(name): \"\(word)\" is not one of \(all)")
      }
      known.append(value)
    }
    return known
  }
}
