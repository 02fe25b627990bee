import MessagePack
import Testing

@testable import NavCLI

@Suite struct ArgumentTests {
  @Test(arguments: [
    (["route", "-33.86,151.2", "48.1,11.5"], ["route", " -33.86,151.2", "48.1,11.5"]),
    (["map", "cut", "--west", "-0.2"], ["map", "cut", "--west=-0.2"]),
    (["map", "cut", "--west=-0.2"], ["map", "cut", "--west=-0.2"]),
    (["x", "--", "-1"], ["x", "--", "-1"]),
    (["x", "-h", "--rate", "2"], ["x", "-h", "--rate", "2"]),
    (["x", "-.5,3"], ["x", " -.5,3"]),
  ])
  func `numbers below zero are values, not options`(words: [String], readable: [String]) {
    #expect(NegativeArguments.readable(words) == readable)
  }

  @Test func `numbers between commas are read whole or not at all`() {
    #expect(NegativeArguments.numbers("-33.86, 151.2") == [-33.86, 151.2])
    for text in ["", "1,", "1,x", "nan,1", "1,inf"] {
      #expect(NegativeArguments.numbers(text) == nil, "\(text)")
    }
  }

  @Test func `an explanation without a number is one of all fixes`() {
    #expect(
      MatchCommand.completed(["match", "--explain", "--map", "m"])
        == ["match", "--explain=\(MatchCommand.explainsAll)", "--map", "m"])
    #expect(MatchCommand.completed(["match", "--explain", "7"]) == ["match", "--explain", "7"])
    #expect(MatchCommand.completed(["route", "--explain"]) == ["route", "--explain"])
  }

  @Test func `waiting times are limited`() {
    #expect(TimeoutArgument.ms(1.5) == 1500)
    #expect(TimeoutArgument.ms(-3) == 0)
    #expect(TimeoutArgument.ms(.infinity) == 1_000_000_000_000)
  }

  @Test func `JSON becomes the payload of a message`() throws {
    let value = try MessagePackValue(
      json: #"{"to":{"lat_deg":48.5},"n":3,"on":true,"x":[null,"é"]}"#)
    #expect(value["to"]?["lat_deg"] == .double(48.5))
    #expect(value["n"] == .int(3) && value["on"] == .bool(true))
    #expect(value["x"] == .array([.null, .string("é")]))
    #expect(throws: Problem.self) { try MessagePackValue(json: "{to: 1}") }
  }
}
