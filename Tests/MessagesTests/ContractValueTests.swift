import Messages
import Testing

/// Messages, requests and replies as cases of one enumeration.
@Suite struct ContractValueTests {
  @Test(arguments: Topics.Name.allCases)
  func `the message of a topic is the case of its name`(name: Topics.Name) throws {
    let declaration = try #require(Topics.declaration(of: name.rawValue))
    let bytes = try #require(Examples.bytes(declaration.schema))
    let value = try TopicValue(name, decoding: bytes)
    #expect(value.topic == name.rawValue && value.encoded() == bytes)
    #expect(Topics.name(of: name.rawValue) == name)
    let deleted = TopicValue.deleted(name)
    #expect(deleted.topic == name.rawValue && deleted.encoded().isEmpty)
  }

  @Test(arguments: Calls.Name.allCases)
  func `request and reply of a call are the cases of its name`(name: Calls.Name) throws {
    let declaration = try #require(Calls.declaration(of: name.rawValue))
    let request = try #require(Examples.bytes(declaration.request.schema))
    let reply = try #require(Examples.bytes(declaration.reply.schema))
    let value = try RequestValue(name, decoding: request)
    #expect(value.call == name.rawValue && value.encoded() == request)
    #expect(try ReplyValue(name, decoding: reply).encoded() == reply)
    #expect(Calls.name(of: name.rawValue) == name)
  }

  @Test func `every name without a variable part has a case`() {
    let topics = Topics.all.map(\.name).filter { !$0.contains("<") }
    #expect(Set(topics) == Set(Topics.Name.allCases.map(\.rawValue)))
    let calls = Calls.all.map(\.name).filter { !$0.contains("<") }
    #expect(Set(calls) == Set(Calls.Name.allCases.map(\.rawValue)))
    #expect(Topics.name(of: "location") == nil && Calls.name(of: "route/guess") == nil)
  }

  @Test func `a request with an unknown field does not decode, and a reply with one does`() {
    let unknown = MessagePackValue.map([.init("no_such_field", .int(1))]).encoded()
    #expect(throws: DecodeError.self) { try RequestValue(.navigateStop, decoding: unknown) }
    #expect(throws: Never.self) { try ReplyValue(.navigateStop, decoding: unknown) }
  }
}
