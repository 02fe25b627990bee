import Messages
import Testing

/// What holds for the request of every call of the contract.
@Suite struct `Requests of all calls` {
  private func refusal(_ type: any RequestMessage.Type, _ bytes: [UInt8]) -> DecodeError? {
    do throws(DecodeError) {
      try Self.decode(type, bytes)
      return nil
    } catch {
      return error
    }
  }

  private static func decode(
    _ type: any RequestMessage.Type, _ bytes: [UInt8]
  ) throws(DecodeError) {
    _ = try type.init(decoding: bytes)
  }

  private static let samples = Result { try RequestBreaker.samples() }

  private func example(_ call: CallDeclaration) throws -> MessagePackValue {
    let name = call.request.schema.prefix { $0 != "/" }
    let golden = try #require(Examples.all.first { $0.name == name })
    return try MessagePackValue(decoding: golden.bytes)
  }

  @Test(
    """
    every call refuses an unknown field, a wrong type, a value out of range and a missing field by \
    its path, at any depth, RT-22, BUS-5
    """, arguments: Calls.all.map(\.name))
  func refusals(name: String) throws {
    let call = try #require(Calls.declaration(of: name))
    let example = try example(call)
    let breaker = try RequestBreaker(
      String(call.request.schema.prefix { $0 != "/" }), samples: try Self.samples.get())
    #expect(refusal(call.request, example.encoded()) == nil)
    var met: Set<String> = []
    let all = breaker.broken(example, met: &met)
    #expect(met == breaker.types, "no example contains every type of the request")
    #expect(all.contains { $0.reason == .unknownField })
    for one in all {
      let error = refusal(call.request, one.payload.encoded())
      #expect(error?.reason == one.reason, "\(one.path): \(error?.message ?? "accepted")")
      #expect(error?.path == one.path, "\(one.path): \(error?.message ?? "accepted")")
      let field = one.path.split(separator: ".").last ?? ""
      let name = field.prefix { $0 != "[" }
      #expect(error?.message.contains(name) == true, "\(one.path): \(error?.message ?? "")")
    }
  }

  @Test(
    "every call refuses a request of one byte more than max_size, RT-22",
    arguments: Calls.all.map(\.name))
  func tooLarge(name: String) throws {
    let call = try #require(Calls.declaration(of: name))
    #expect(call.request.maxSizeBytes == call.maxSizeBytes)
    let most = [UInt8](repeating: 0xc0, count: call.maxSizeBytes)
    #expect(refusal(call.request, most)?.reason == .wrongType)
    let error = try #require(refusal(call.request, most + [0xc0]))
    #expect(error.reason == .tooLarge && error.path.isEmpty)
    #expect(error.message.contains("\(call.maxSizeBytes + 1) bytes"))
    #expect(error.message.contains("at most \(call.maxSizeBytes) "))
  }

  @Test("topics and replies ignore unknown fields, BUS-5", arguments: Examples.all)
  func ignored(message: GoldenMessage) throws {
    guard !(message.type is any RequestMessage.Type),
      case .map(let entries) = try MessagePackValue(decoding: message.bytes)
    else { return }
    let newer = MessagePackValue.map([.init("no_such_field", .array([.null]))] + entries)
    #expect(try message.type.init(decoding: newer.encoded()).encoded() == message.bytes)
  }

  @Test(
    "the refusal of an unknown field names the nearest known one, RT-22",
    arguments: [
      ("alternativs", "unknown field \"alternativs\"; did you mean \"alternatives\"?"),
      ("waypoint", "unknown field \"waypoint\"; did you mean \"waypoints\"?"),
      ("colour", "unknown field \"colour\"; known fields are waypoints, "),
      (
        String(repeating: "x", count: 65),
        "unknown field \"\(String(repeating: "x", count: 32))…\""
      ),
    ])
  func suggestion(written: String, sentence: String) throws {
    let bytes = MessagePackValue.map([.init(written, .int(2))]).encoded()
    let error = try #require(refusal(RouteCalculateRequest.self, bytes))
    #expect(error.reason == .unknownField)
    #expect(error.path == (written.count > 64 ? "\(written.prefix(32))…" : written))
    #expect(error.message.hasPrefix(sentence), "\(error.message)")
  }

  @Test("an unknown field inside a list is named with its path, RT-22")
  func nested() throws {
    let place = MessagePackValue.map([.init("lat_deg", .int(1)), .init("longitude", .int(2))])
    let request = MessagePackValue.map([
      .init("from_here", .bool(true)), .init("waypoints", .array([place])),
    ])
    let error = try #require(refusal(NavigateStartRequest.self, request.encoded()))
    #expect(error.path == "waypoints[0].longitude")
    #expect(error.message.hasPrefix("waypoints[0]: unknown field \"longitude\""))
    #expect(request.encoded()[error.byteOffset] == 0xa9)
  }

  @Test("a request without fields says that it has none, RT-22")
  func empty() throws {
    let bytes = MessagePackValue.map([.init("now", .bool(true))]).encoded()
    let error = try #require(refusal(NavigateStopRequest.self, bytes))
    #expect(error.path == "now")
    #expect(error.message.contains("\"now\"; no fields are known here"))
  }

  @Test("an unknown name that is not UTF-8 is refused as such, BUS-5")
  func notText() {
    let error = refusal(NavigateStopRequest.self, [0x81, 0xa2, 0xc3, 0x28, 0xc0])
    #expect(error?.reason == .invalidText)
  }
}
