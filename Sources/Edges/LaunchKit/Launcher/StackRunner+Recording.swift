import BusClient
import Foundation
import Messages

// Recording of the bus messages, from the first message on.
extension StackRunner {
  /// The recording settings; nil for no recording.
  var recording: RecordSettings? {
    switch options.record {
    case .off?: return nil
    case .file(let path)?:
      var settings = stack.file.record ?? RecordSettings(to: Located(path, at: .start))
      settings.to.value = path
      return settings
    case nil: return stack.file.record
    }
  }

  /// Orders the broker to record, if requested.
  func startRecording() {
    guard let recording, let witness else { return }
    let path = recording.path(stack: stack.file.name, start: startText)
    let absolute = path.hasPrefix("/") ? path : "\(options.folder)/\(path)"
    let folder = (absolute as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let request = RecordStartRequest(
      path: absolute, topics: recording.topics.map(\.value), splitS: recording.splitEveryS,
      splitBytes: recording.splitBytes.map { UInt64($0) },
      keepBytes: recording.keepBytes.map { UInt64($0) }, files: attachments(),
      notes: ["stack": stack.file.name, "vehicles": stack.file.vehicles.joined(separator: ",")])
    let mail = recordMail
    witness.client.call(
      RecordStartRequest.call, payload: request.encoded(),
      timeoutMS: UInt32(1_000 * (Calls.declaration(of: RecordStartRequest.call)?.timeoutS ?? 5))
    ) { mail.put($0) }
  }

  func handleRecordingEvents() {
    for end in recordMail.take() {
      switch end {
      case .ok(let payload):
        let path = (try? RecordStartReply(decoding: payload))?.path ?? ""
        log.say("nav", "recording \(path)")
        heldReadiness?.mustRecord = false
        releaseReadiness()
      case .failed(let code, let message, _):
        let reason = "recording cannot start: \(message.isEmpty ? code : message)"
        log.say("nav", reason, isError: true)
        perform(.stop(reason: reason, code: Supervisor.ExitCode.failure))
      }
    }
  }

  /// Documents for readers of the recording: the stack file as written, and the resulting
  /// parameters.
  private func attachments() -> [String: String] {
    var files = ["effective.txt": stack.text]
    if let text = try? String(contentsOfFile: options.file, encoding: .utf8) {
      files["stack.yaml"] = text
    }
    return files
  }
}
