import Foundation
import MessagePack
import Testing

@testable import Broker
@testable import BusProtocol

@Suite struct ControlMessageTests {
  private static let examples = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "../../Protocols/examples")

  /// The map of an example, with its keys in order.
  private static func example(
    _ operation: ControlMessage.Operation
  ) throws -> (bytes: [UInt8], entries: [MessagePackValue.Entry]) {
    let file = examples.appending(path: "control/\(operation.rawValue).msgpack")
    let bytes = [UInt8](try Data(contentsOf: file))
    guard case .map(let entries) = try MessagePackValue(decoding: bytes) else {
      return (bytes, [])
    }
    return (bytes, entries)
  }

  private func refusal(_ bytes: [UInt8]) -> DecodeError? {
    do {
      _ = try ControlMessage(decoding: bytes)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Bytes

  @Test func `messages of the types that were written by hand have the same bytes, BUS-2`() throws {
    var operations: Set<ControlMessage.Operation> = []
    for (name, bytes) in ControlVectors.all {
      let message = try ControlMessage(decoding: bytes)
      #expect(message.encoded() == bytes, "\(name)")
      operations.insert(message.operation)
    }
    #expect(operations.count == ControlMessage.Operation.allCases.count)
    #expect(ControlVectors.all.count == 69)
  }

  @Test(arguments: ControlMessage.Operation.allCases)
  func `the example of each operation is read and written as it is`(
    operation: ControlMessage.Operation
  ) throws {
    let (bytes, entries) = try Self.example(operation)
    let message = try ControlMessage(decoding: bytes)
    #expect(message.operation == operation)
    #expect(message.encoded() == bytes)
    #expect(entries.first?.key == "op")
  }

  @Test(arguments: ControlMessage.Operation.allCases)
  func `unknown keys are ignored, nil is absent, and the order of keys is free`(
    operation: ControlMessage.Operation
  ) throws {
    let (bytes, entries) = try Self.example(operation)
    let new = MessagePackValue.array([.map([.init("op", .string("x"))])])
    let more = [.init("a_new_key", new)] + entries.reversed()
    let message = try ControlMessage(decoding: MessagePackValue.map(more).encoded())
    #expect(message.encoded() == bytes)
    let absent = entries + [.init("another", .null)]
    #expect(try ControlMessage(decoding: MessagePackValue.map(absent).encoded()) == message)
  }

  // MARK: Refusals

  @Test(arguments: ControlMessage.Operation.allCases)
  func `a value of another type and a missing key are refused with the key`(
    operation: ControlMessage.Operation
  ) throws {
    let (bytes, entries) = try Self.example(operation)
    let known = try ControlMessage(decoding: bytes)
    for (index, entry) in entries.enumerated() {
      var changed = entries
      // Nothing in a control message is a byte string.
      changed[index].value = .bytes([1])
      let wrong = try #require(refusal(MessagePackValue.map(changed).encoded()))
      #expect(wrong.reason == .wrongType)
      #expect(wrong.field?.hasPrefix(entry.key) == true, "\(entry.key): \(wrong)")
      changed.remove(at: index)
      if let missing = refusal(MessagePackValue.map(changed).encoded()) {
        #expect(missing.reason == .missingField)
        #expect(missing.field == entry.key)
      } else {
        #expect(try ControlMessage(decoding: MessagePackValue.map(changed).encoded()) != known)
      }
    }
  }

  @Test func `an unknown operation, a second one and a message without one are refused`() {
    func bytes(_ entries: [MessagePackValue.Entry]) -> [UInt8] {
      MessagePackValue.map(entries).encoded()
    }
    let unknown = refusal(bytes([.init("op", .string("pingg"))]))
    #expect(unknown?.reason == .unknownWord)
    #expect(unknown?.message == "op: \"pingg\" is not an operation (byte 0)")
    #expect(refusal(bytes([.init("token", .int(1))]))?.field == "op")
    #expect(refusal(bytes([.init("op", .null)])) != nil)
    let twice = bytes([.init("op", .string("ping")), .init("op", .string("bye"))])
    #expect(refusal(twice)?.reason == .duplicateField)
    #expect(refusal(ControlMessage.Ping().encoded() + [0xc0])?.reason == .trailingBytes)
    #expect(refusal([]) != nil)
  }

  // MARK: The broker's answers

  private func answer(_ entries: [MessagePackValue.Entry]) throws -> ControlMessage? {
    var drawn = BrokerCoreFixture()
    drawn.core.control(
      [Array("peer".utf8), MessagePackValue.map(entries).encoded()], now: drawn.now)
    #expect(drawn.core.counters["malformed_control"] == 1)
    return drawn.sent(to: "peer").last
  }

  @Test func `the broker answers what it cannot decode with the key and the reason`() throws {
    let cases: [([MessagePackValue.Entry], String)] = [
      ([.init("op", .string("sing"))], "op: \"sing\" is not an operation (byte 0)"),
      ([.init("op", .string("sync")), .init("name", .string("a"))], "token: is missing (byte 0)"),
      (
        [.init("op", .string("ping")), .init("from", .string("a"))],
        "from: expected an integer, found a string (byte 14)"
      ),
    ]
    for (entries, message) in cases {
      let error = ControlMessage.Error(code: "invalid", message: message)
      let found = try answer(entries)
      #expect(found == .error(error), "\(String(describing: found))")
    }
  }

  @Test func `an incomplete registration, call or order ends in its own form`() throws {
    let registration = try answer([.init("op", .string("register")), .init("name", .string("a"))])
    #expect(
      registration
        == .rejected(.init(run: 7, code: "invalid", message: "run: is missing (byte 0)")))
    let call = try answer([
      .init("op", .string("call")), .init("id", .string("1")), .init("name", .string("a/b")),
    ])
    #expect(
      call
        == .reply(
          .init(id: "1", ok: false, code: "invalid", message: "timeout_ms: is missing (byte 0)")))
    let order = try answer([.init("op", .string("handover")), .init("token", .int(9))])
    guard case .outcome(let outcome)? = order else {
      Issue.record("\(String(describing: order))")
      return
    }
    #expect(outcome.token == 9)
    #expect(outcome.code == "invalid")
    #expect(outcome.message == "name: is missing (byte 0)")
    // Without an identity there is nothing that the answer could end.
    let nameless = try answer([.init("op", .string("call")), .init("name", .string("a/b"))])
    #expect(nameless?.operation == .error)
  }
}
