import CallCases
import Foundation
import Messages
import NodeKit
import Stage
import Testing

@testable import Broker
@testable import BusClient
@testable import BusProtocol
@testable import Recorder
@testable import ZMQ

/// A broker that records, as `nav-bus` runs it, on a thread of its own.
private final class RecordingBroker {
  let folder: String
  let client: BusClient
  private let stop: ThreadWaker
  private let thread: OSThread

  init() throws {
    var name = Array("/tmp/navrecord.XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&name))
    folder = String(cString: made)
    let address = try BusAddress("ipc://\(folder)/bus")
    let stop = try ThreadWaker()
    let bound = try ThreadWaker()
    self.stop = stop
    thread = OSThread("broker") {
      let broker = Broker(Broker.Configuration(address: address, table: Contract.table))
      let service = RecordingService()
      var own: BusClient?
      try? broker.run(
        until: stop,
        whenBound: {
          own = try? BusClient(
            BusClient.Configuration(address: address, name: "bus", table: Contract.table))
          own?.serve(RecordingService.calls)
          if let own, let parameters = try? Parameters([:], declared: RecordingService.parameters) {
            try? service.start(
              broker, own, parameters, LogSink(node: "bus", isSupervised: false))
          }
          bound.signal()
        },
        onTurn: { _ in
          while let event = own?.next() {
            if case .call(let call) = event { service.serve(call) }
          }
        })
      service.end()
      own?.close()
    }
    var items = [bound.pollItem]
    try poll(&items, timeoutMS: 5_000)
    client = try BusClient(
      BusClient.Configuration(
        address: address, name: "caller", kind: "tool", table: Contract.table))
    // Calls of a server that has not come yet are answered with no_such_service.
    _ = until { if case .ok = call(RecordStatusRequest()) { true } else { false } }
  }

  func call(_ request: some RequestMessage) -> CallEnd {
    client.callAndWait(type(of: request).call, payload: request.encoded())
  }

  var status: RecordStatusReply? {
    guard case .ok(let payload) = call(RecordStatusRequest()) else { return nil }
    return try? RecordStatusReply(decoding: payload)
  }

  func publish() {
    _ = client.publish(
      Publication(
        topic: "ego/location/raw", stampNS: 1, schema: LocationRaw.schema,
        payload: LocationRaw(latDeg: 1, lonDeg: 2).encoded()))
  }

  /// Whether a condition comes true within ten seconds; asked again and again.
  func until(_ condition: () -> Bool) -> Bool {
    let deadline = MonotonicTime.now.advanced(byMS: 10_000)
    while !condition() {
      guard deadline > .now else { return false }
    }
    return true
  }

  func end() {
    client.close()
    stop.signal()
    thread.join()
    try? FileManager.default.removeItem(atPath: folder)
  }
}

/// A call of record/* that fails.
private struct FailingRecord: CustomTestStringConvertible, Sendable {
  var code: CallCode
  var because: String
  var field: String?
  var end: @Sendable (RecordingBroker) throws -> CallEnd

  init(
    _ call: String, _ code: String, _ because: String, field: String? = nil,
    end: @escaping @Sendable (RecordingBroker) throws -> CallEnd
  ) {
    self.code = CallCode(call, code)
    self.because = because
    self.field = field
    self.end = end
  }

  var testDescription: String { "\(code) for \(because)" }

  static func unknownField(_ call: String) -> FailingRecord {
    FailingRecord(call, "invalid", "an unknown field", field: "no_such_field") { broker in
      let request = MessagePackValue.map([.init("no_such_field", .int(1))])
      return broker.client.callAndWait(call, payload: request.encoded())
    }
  }
}

/// Every error code of the calls that the broker serves, over a real broker.
@Suite(.serialized) struct RecordCallTests {
  private static let cases: [FailingRecord] =
    RecordingService.calls.map { FailingRecord.unknownField($0) } + own

  private static let own: [FailingRecord] = [
    FailingRecord("record/start", "invalid", "a path that is not absolute", field: "path") {
      $0.call(RecordStartRequest(path: "drive.mcap"))
    },
    FailingRecord("record/start", "invalid", "a split time out of range", field: "split_s") {
      $0.call(RecordStartRequest(path: "\($0.folder)/a.mcap", splitS: 0.5))
    },
    FailingRecord("record/start", "busy", "a recording that is running") { broker in
      _ = broker.call(RecordStartRequest(path: "\(broker.folder)/a.mcap"))
      return broker.call(RecordStartRequest(path: "\(broker.folder)/b.mcap"))
    },
    FailingRecord("record/start", "unavailable", "a folder that cannot be made") {
      $0.call(RecordStartRequest(path: "/proc/none/a.mcap"))
    },
    FailingRecord("record/stop", "not_recording", "no recording") {
      $0.call(RecordStopRequest())
    },
    FailingRecord("record/stop", "failed", "a folder that has gone") { broker in
      let folder = "\(broker.folder)/gone"
      _ = broker.call(RecordStartRequest(path: "\(folder)/a.mcap", splitBytes: 1))
      try FileManager.default.removeItem(atPath: folder)
      #expect(
        broker.until {
          broker.publish()
          return broker.status?.error != nil
        })
      return broker.call(RecordStopRequest())
    },
  ]

  @Test(
    "a call to record ends with the code that its page declares, RT-22, BUS-5", arguments: cases)
  fileprivate func ends(_ one: FailingRecord) throws {
    let broker = try RecordingBroker()
    defer { broker.end() }
    guard case .failed(let code, let message, let field) = try one.end(broker) else {
      Issue.record("\(one.testDescription): the call did not fail")
      return
    }
    #expect(code == one.code.code, "\(message)")
    #expect(field == one.field, "\(message)")
    #expect(message.split(separator: " ").count > 2, "\(message)")
  }

  @Test("every error code of every call of the broker has a case, RT-22, BUS-5")
  func complete() {
    for fault in CallCoverage.faults(of: Self.cases.map(\.code), in: "RecorderTests") {
      Issue.record("\(fault)")
    }
  }
}
