import Harness
import Stage
import VoiceStage

/// Voice guidance as a process: the stage decides, the sink plays sound.
@main
enum VoiceGuidance {
  static func main() {
    NodeMain.run(VoiceStage.self) { settings, parameters throws(StageFailure) in
      guard let engine = SpeechEngine(parameters, voice: settings.voice) else { return [] }
      return [SpeechSink(engine)]
    }
  }
}
