import Testing

@testable import Broker
@testable import BusProtocol

@Suite struct ReleasedReplicaTests {
  private func registered() -> BrokerCoreFixture {
    var fixture = BrokerCoreFixture()
    for (name, lane) in [("matcher.0", 1), ("matcher.1", 2)] as [(String, UInt64)] {
      fixture.say(
        ControlMessage.Register(
          name: name, run: lane, group: "matcher", lane: lane, slots: lane == 1 ? [0, 255] : []),
        as: name)
    }
    return fixture
  }

  @Test func `a replica that gave all its slots away is not missed when it signs off`() {
    var fixture = registered()
    fixture.say(ControlMessage.Bye(), as: "matcher.1")
    let reports = fixture.core.registry.reports(now: fixture.now)
    #expect(reports.map(\.name) == ["matcher.0"])
    #expect(reports.map(\.isAlive) == [true])
  }

  @Test func `a replica with slots that signs off is reported as gone`() {
    var fixture = registered()
    fixture.say(ControlMessage.Bye(), as: "matcher.0")
    let reports = fixture.core.registry.reports(now: fixture.now)
    #expect(reports.map(\.name) == ["matcher.0", "matcher.1"])
    #expect(reports.map(\.isAlive) == [false, true])
  }
}
