import Messages
import Stage

/// The program that converts one announcement to sound, and its arguments.
enum SpeechEngine: Hashable, Sendable {
  /// espeak-ng to the sound device.
  case device(voice: String)
  /// espeak-ng into WAV files.
  case files(voice: String, folder: String)
  case command(String)

  /// nil if this node does not speak.
  init?(_ parameters: Parameters, voice: String) {
    switch parameters.string("sink") {
    case "espeak":
      if let folder = parameters.string("wav_dir"), !folder.isEmpty {
        self = .files(voice: voice, folder: folder)
      } else {
        self = .device(voice: voice)
      }
    case "command": self = .command(parameters.string("command") ?? "")
    default: return nil
    }
  }

  /// Name in `voice/spoken`.
  var name: String {
    switch self {
    case .device, .files: "espeak-ng"
    case .command: "command"
    }
  }

  var program: String {
    switch self {
    case .device, .files: "espeak-ng"
    case .command: "sh"
    }
  }

  /// The problem to report if the program is missing.
  var missing: String {
    switch self {
    case .device, .files:
      "espeak-ng is not installed (Debian: apt-get install espeak-ng): announcements are published as text only"
    case .command: "there is no sh to run the command: announcements are published as text only"
    }
  }

  /// The program's arguments; `file` is the path for a WAV file.
  func arguments(for announcement: VoiceAnnouncement, file: String?) -> [String] {
    switch self {
    case .device(let voice): ["-v", voice, "--", announcement.text]
    case .files(let voice, _): ["-v", voice, "-w", file ?? "/dev/null", "--", announcement.text]
    case .command(let command): ["-c", command]
    }
  }

  /// The environment of a command, in addition to the text on its standard input.
  func environment(for announcement: VoiceAnnouncement) -> [String: String] {
    guard case .command = self else { return [:] }
    return [
      "NAV_SPEECH_TEXT": announcement.text, "NAV_SPEECH_SSML": announcement.ssml ?? "",
      "NAV_SPEECH_LANGUAGE": announcement.language, "NAV_SPEECH_KEY": announcement.key,
      "NAV_SPEECH_KIND": announcement.kind.rawValue,
    ]
  }
}
