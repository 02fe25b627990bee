import BusClient
import BusProtocol
import Foundation
import MessagePack
import Testing

/// Checks over the real broker; the test itself plays the stage.
@Suite(.serialized) struct CheckTests {
  let ground: StackFolder

  init() throws { ground = try StackFolder() }

  private func stack(expect: String) throws {
    try ground.stack(
      """
      stack: s
      nodes:
        provider: {run: "@NODE outputs=location/raw"}
        navigator: {run: "@NODE outputs=guidance/arrival serves=navigate/stop"}
      start:
        - navigate/stop: {}
      expect: [\(expect)]
      until: {topic: guidance/arrival, where: {event: destination_reached}}
      """)
  }

  /// Answers the call of `start:`, and publishes what a drive would.
  private func play(_ address: String) throws -> BusClient {
    let client = try BusClient(
      BusClient.Configuration(
        address: try BusAddress(address), name: "stage",
        table: TopicTable([
          TopicTraits("location/raw", .stream), TopicTraits("guidance/arrival", .event),
        ]), publishes: ["location/raw", "guidance/arrival"]))
    client.serve(["navigate/stop"])
    return client
  }

  private func publish(_ client: BusClient, _ topic: String, _ event: String, _ second: Int64) {
    _ = client.publish(
      Publication(
        topic: "ego/\(topic)", stampNS: second * 1_000_000_000, schema: "x/1.0",
        payload: MessagePackValue.map([.init("event", .string(event))]).encoded()))
  }

  @Test func `a check ends early and well when all holds`() throws {
    try stack(expect: "{topic: location/raw, rate: \">= 0.5 Hz\", lost: 0}")
    let launched = try LauncherProcess(ground, "stack.yaml", "--check", "60s")
    #expect(launched.line(with: "checking for") != nil, "\(launched.text)")
    let client = try play("ipc://\(ground.folder)/run/navstack/s")
    defer { client.close() }
    var isAnswered = false
    var second: Int64 = 0
    #expect(
      comes(within: 25) {
        while let event = client.next(waitingMS: 20) {
          guard case .call(let call) = event else { continue }
          client.reply(to: call.id, .ok(payload: MessagePackValue.map([]).encoded()))
          isAnswered = true
        }
        second += 1
        publish(client, "location/raw", "fix", second)
        publish(client, "guidance/arrival", "destination_reached", second)
        return launched.end(within: 0.05) != nil
      }, "\(launched.text)")
    #expect(isAnswered)
    #expect(launched.end() == 0, "\(launched.text)")
    #expect(launched.text.contains("navigate/stop: done"))
    #expect(launched.text.contains("the check has passed"))
  }

  @Test func `a check fails and names what was left out`() throws {
    try stack(expect: "{topic: location/raw, count: \">= 1\"}")
    let launched = try LauncherProcess(
      ground, "stack.yaml", "--check", "1s", "--without", "provider")
    #expect(launched.end() == 1, "\(launched.text)")
    #expect(
      launched.text.contains(
        "unmet: ego/location/raw count >= 1 messages: no message; it is published by provider, which is "
          + "left out"), "\(launched.text)")
    #expect(launched.text.contains("unmet: ego/guidance/arrival event=destination_reached"))
  }
}
