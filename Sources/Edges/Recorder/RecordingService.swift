import Bag
public import Broker
public import BrokerNode
public import BusClient
import BusProtocol
import Foundation
import Messages
public import NodeKit
import SchemaTexts
public import Stage
import Synchronization

/// Serves `record/start`, `record/stop` and `record/status`, and makes the broker's initial
/// recording.
public final class RecordingService: BrokerService {
  public static let parameters: [ParameterDeclaration] = [
    ParameterDeclaration(
      "record_to", .path,
      "Record into this file from the start; a number is added if it exists."),
    ParameterDeclaration(
      "record_topics", .strings, "Topics to record, as in the call record/start; default: all."),
    ParameterDeclaration(
      "record_split_s", .double, unit: "s", min: 1, "Start a new file after this time."),
    ParameterDeclaration(
      "record_split_mib", .int, unit: "MiB", min: 1, max: 1e9, "Start a new file after this size."),
    ParameterDeclaration(
      "record_keep_mib", .int, unit: "MiB", min: 1, max: 1e9,
      "Delete the oldest files beyond this total size."),
    ParameterDeclaration(
      "record_files", .strings, "Files to attach to the recording, such as stack.yaml."),
    ParameterDeclaration(
      "record_notes", .strings, "Notes to store in the recording, each as NAME=TEXT."),
  ]

  public static let calls = ["record/start", "record/stop", "record/status"]

  private var broker: Broker?
  private var client: BusClient?
  private var log: LogSink?
  private var recorder: Recorder?
  /// Recorders that were ordered to end, and may still be writing.
  private var stopping: [Recorder] = []
  private let ends = Ends()

  /// State that the recorder's thread and the broker's thread share.
  private final class Ends: Sendable {
    /// Identities of the calls that wait for the recording's end.
    let waiting = Mutex<[String]>([])
    let last = Mutex<RecordingStatus?>(nil)
  }

  public init() {}

  public func start(
    _ broker: Broker, _ client: BusClient, _ parameters: Parameters, _ log: LogSink
  ) throws {
    self.broker = broker
    self.client = client
    self.log = log
    guard let path = parameters.string("record_to") else { return }
    var attachments: [BagAttachment] = []
    for path in parameters.strings("record_files") {
      guard let data = FileManager.default.contents(atPath: path) else {
        log.write(.warning, "\(path): cannot be read and is not attached to the recording")
        continue
      }
      let name = URL(filePath: path).lastPathComponent
      attachments.append(Self.attachment(name, Array(data)))
    }
    var notes: [String: String] = [:]
    for note in parameters.strings("record_notes") {
      let parts = note.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw StageFailure("record_notes: \"\(note)\" is not NAME=TEXT")
      }
      notes[parts[0]] = parts[1]
    }
    let plan = RecordingPlan(
      path: path, filter: TopicFilter(parameters.strings("record_topics")),
      splitS: parameters.optionalDouble("record_split_s"),
      splitBytes: Self.mebibytes(parameters.optionalDouble("record_split_mib")),
      keepBytes: Self.mebibytes(parameters.optionalDouble("record_keep_mib")),
      attachments: attachments, notes: notes)
    // A disk that cannot be written to is no reason to stop the drive.
    if case .failure(let problem) = start(plan) { log.write(.error, problem.message) }
  }

  private static func mebibytes(_ value: Double?) -> Int? { value.map { Int($0) << 20 } }

  public func serve(_ call: IncomingCall) {
    switch call.name {
    case "record/start": start(call)
    case "record/stop":
      if decodes(RecordStopRequest.self, call) { stop(call) }
    default:
      guard decodes(RecordStatusRequest.self, call) else { return }
      client?.reply(to: call.id, .ok(payload: status().encoded()))
    }
  }

  /// Whether a request without fields is valid; garbage must not end a recording.
  private func decodes(_ type: (some CallMessage).Type, _ call: IncomingCall) -> Bool {
    do throws(DecodeError) {
      _ = try type.init(decoding: call.payload)
      return true
    } catch {
      fail(call, "invalid", error.message, field: error.field)
      return false
    }
  }

  public func end() {
    // The broker has ended the tap; a recording that never started ends here.
    recorder?.cancel()
    for one in stopping + [recorder].compactMap(\.self) { one.join() }
    recorder = nil
    stopping = []
  }

  // MARK: The calls

  private func start(_ call: IncomingCall) {
    let request: RecordStartRequest
    do throws(DecodeError) {
      request = try RecordStartRequest(decoding: call.payload)
    } catch {
      return fail(call, "invalid", error.message, field: error.field)
    }
    guard request.path.hasPrefix("/") else {
      return fail(call, "invalid", "\"\(request.path)\" is not absolute", field: "path")
    }
    let plan = RecordingPlan(
      path: request.path, filter: TopicFilter(request.topics), splitS: request.splitS,
      splitBytes: request.splitBytes.map { Int(clamping: $0) },
      keepBytes: request.keepBytes.map { Int(clamping: $0) },
      attachments: request.files.sorted { $0.key < $1.key }.map {
        Self.attachment($0, Array($1.utf8))
      },
      notes: request.notes)
    switch start(plan) {
    case .success(let path):
      client?.reply(to: call.id, .ok(payload: RecordStartReply(path: path).encoded()))
    case .failure(let problem):
      fail(call, recorder == nil ? "unavailable" : "busy", problem.message)
    }
  }

  private func stop(_ call: IncomingCall) {
    guard let recorder else {
      return fail(call, "not_recording", "there is no recording in progress")
    }
    ends.waiting.withLock { $0.append(call.id) }
    self.recorder = nil
    stopping = stopping.filter { $0.state.isRunning } + [recorder]
    // The broker has already released a failed recorder, so it must be ended here.
    if recorder.state.failure != nil { recorder.cancel() }
    broker?.stop(recorder)
  }

  private func status() -> RecordStatusReply {
    let running = recorder?.state
    let reported = running ?? ends.last.withLock { $0 }
    return RecordStatusReply(
      recording: running?.isRunning == true && running?.failure == nil, path: running?.path,
      files: reported?.files ?? [], messages: reported?.messages ?? 0,
      bytes: UInt64(reported?.bytes ?? 0),
      queued: UInt64(recorder?.queuedBytes ?? 0), lost: reported?.loss.lostByTopic ?? [:],
      error: reported?.failure?.description)
  }

  private func fail(
    _ call: IncomingCall, _ code: String, _ message: String, field: String? = nil
  ) {
    client?.reply(to: call.id, .failed(code: code, message: message, field: field))
  }

  // MARK: The recording

  private func start(_ plan: RecordingPlan) -> Result<String, StageFailure> {
    if let running = recorder, running.state.failure == nil {
      return .failure(StageFailure("already recording to \(running.state.path)"))
    }
    recorder?.cancel()
    recorder = nil
    var plan = plan
    plan.notes["version"] = NodeVersion.text
    do {
      let folder = URL(filePath: plan.path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let recorder = try Recorder(
        plan, table: Contract.table, schemaText: { SchemaTexts.text($0) }, events: events())
      self.recorder = recorder
      broker?.start(recorder)
      log?.write(.info, "recording to \(recorder.state.path)")
      return .success(recorder.state.path)
    } catch {
      return .failure(StageFailure("cannot record: \(error)"))
    }
  }

  /// Logs events of the recording, on the recorder's thread.
  private func events() -> @Sendable (RecordingEvent) -> Void {
    let (client, log, ends) = (client, log, ends)
    return { events in
      switch events {
      case .losing(let topic, let count):
        log?.write(
          .warning, "recording: the disk is too slow; \(count) messages of \(topic) are lost")
      case .failed(let error): log?.write(.error, "the recording has ended: \(error)")
      case .closed(let path): log?.write(.info, "recorded \(path)")
      case .ended(let status):
        ends.last.withLock { $0 = status }
        for id in ends.waiting.withLock({ exchange(&$0, []) }) {
          client?.reply(to: id, Self.end(status))
        }
      }
    }
  }

  private static func end(_ status: RecordingStatus) -> CallEnd {
    if let failure = status.failure {
      return .failed(code: "failed", message: failure.description, field: nil)
    }
    return .ok(
      payload: RecordStopReply(
        files: status.files, messages: status.messages, bytes: UInt64(status.bytes),
        lost: status.loss.lost
      ).encoded())
  }

  private static func attachment(_ name: String, _ data: [UInt8]) -> BagAttachment {
    let types = ["yaml": "text/yaml", "json": "application/json", "txt": "text/plain"]
    return BagAttachment(
      name: name,
      mediaType: types[URL(filePath: name).pathExtension] ?? "application/octet-stream",
      logTimeNS: UInt64(clamping: wallClockNS()), data: data)
  }
}

private func exchange<Value>(_ value: inout Value, _ new: Value) -> Value {
  defer { value = new }
  return value
}
