import BusProtocol
import Foundation
import HTTP
import MessagePack
import Messages
import Synchronization
import Testing

@testable import Foxglove

private func frame(_ topic: String, _ payload: [UInt8], stampNS: Int64 = 5_000_000_007) -> Frame {
  Frame(
    topic: topic,
    header: Header(sequence: 1, stampNS: stampNS, source: "x", run: 1, schema: ""),
    payload: payload)
}

private func object(_ text: String?) throws -> [String: Any] {
  let data = Data(try #require(text).utf8)
  return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
}

@Suite struct FoxgloveChannelTests {
  @Test func `a location becomes a LocationFix, BUS-7`() throws {
    let channel = FoxgloveChannel(topic: "ego/location/raw", schema: LocationRaw.schema)
    #expect(channel.topic == "/ego/location/raw")
    #expect(channel.schemaName == "foxglove.LocationFix")
    let raw = LocationRaw(latDeg: 47.5, lonDeg: 9.25, bearingDeg: 90, speedMps: 3, accuracyM: 1.51)
    let fix = try object(channel.json(frame("ego/location/raw", raw.encoded())))
    #expect(fix["latitude"] as? Double == 47.5)
    #expect((fix["timestamp"] as? [String: Int]) == ["sec": 5, "nsec": 7])
    #expect((fix["position_covariance"] as? [Double])?.first == 1)
    #expect(fix["position_covariance_type"] as? Int == 1)
    let velocity = try #require(fix["velocity"] as? [String: Double])
    #expect(abs((velocity["x"] ?? 0) - 3) < 1e-9 && abs(velocity["y"] ?? 1) < 1e-9)
    #expect(abs((fix["heading"] as? Double ?? 0) - .pi / 2) < 1e-9)
  }

  @Test func `a location without a place says nothing, BUS-7`() {
    let channel = FoxgloveChannel(topic: "ego/location/matched", schema: LocationMatched.schema)
    let none = MessagePackValue.map([.init("state", .string("no_match"))])
    #expect(channel.json(frame("ego/location/matched", none.encoded())) == nil)
  }

  @Test func `a route becomes GeoJSON, and none an empty collection, BUS-7`() throws {
    let channel = FoxgloveChannel(topic: "ego/route/active", schema: RouteActive.schema)
    let route = MessagePackValue.map([
      .init("id", .string("r-1")), .init("shape", .string("_izlhA~rlgdF_seK~hsB")),
    ])
    let payload = MessagePackValue.map([.init("route", route)]).encoded()
    let text = try object(channel.json(frame("ego/route/active", payload)))["geojson"] as? String
    let collection = try object(text)
    let features = try #require(collection["features"] as? [[String: Any]])
    let geometry = try #require(features[0]["geometry"] as? [String: Any])
    #expect(geometry["type"] as? String == "LineString")
    #expect((geometry["coordinates"] as? [[Double]])?.count == 2)
    let cleared = try object(channel.json(frame("ego/route/active", [])))["geojson"] as? String
    #expect((try object(cleared)["features"] as? [Any])?.isEmpty == true)
  }

  @Test func `announcements and logs become Log, BUS-7`() throws {
    let spoken = FoxgloveChannel(topic: "ego/voice/announcement", schema: "voice_announcement/1.0")
    let sentence = MessagePackValue.map([.init("text", .string("Turn right"))])
    let log = try object(spoken.json(frame("ego/voice/announcement", sentence.encoded())))
    #expect(log["message"] as? String == "Turn right" && log["level"] as? Int == 2)
    let own = FoxgloveChannel(topic: "_log/matcher", schema: NodeLog.schema)
    let line = MessagePackValue.map([
      .init("level", .string("error")), .init("text", .string("no map")),
      .init("node", .string("matcher")),
    ])
    let error = try object(own.json(frame("_log/matcher", line.encoded())))
    #expect(error["level"] as? Int == 4 && error["name"] as? String == "matcher")
  }

  @Test func `all else keeps its fields and has its own schema, BUS-7`() throws {
    let channel = FoxgloveChannel(topic: "ego/guidance/progress", schema: GuidanceProgress.schema)
    #expect(channel.schemaName == GuidanceProgress.schema)
    #expect(try object(channel.schema)["properties"] != nil)
    #expect(channel.json(frame("ego/guidance/progress", [0xc1])) == nil)
  }

  @Test(arguments: [FoxgloveSchemas.locationFix, FoxgloveSchemas.geoJSON, FoxgloveSchemas.log])
  func `the schemas are JSON with a title, BUS-7`(text: String) throws {
    #expect((try object(text)["title"] as? String)?.hasPrefix("foxglove.") == true)
  }
}

@Suite struct FoxgloveBridgeTests {
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func write(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private func bridge(_ log: Log) -> FoxgloveBridge {
    FoxgloveBridge(
      name: "test", session: "1",
      offers: [
        .init(topic: "ego/location/raw", schema: LocationRaw.schema, isState: false),
        .init(topic: "ego/route/active", schema: RouteActive.schema, isState: true),
      ], began: { log.write("began \($0)") }, ended: { log.write("ended \($0)") })
  }

  private func join(_ bridge: FoxgloveBridge) throws -> any LiveSession {
    let session = bridge.join(WebRequest(path: "/")) {}
    return try #require(session)
  }

  private func text(_ frame: LiveFrame?) throws -> [String: Any] {
    guard case .text(let text)? = frame else {
      Issue.record("no text: \(String(describing: frame))")
      return [:]
    }
    return try object(text)
  }

  @Test func `a client is greeted, and given what it subscribes to, BUS-7`() throws {
    let log = Log()
    let bridge = bridge(log)
    let session = try join(bridge)
    #expect(try text(session.next())["op"] as? String == "serverInfo")
    let offer = try text(session.next())
    let channels = try #require(offer["channels"] as? [[String: Any]])
    #expect(channels.map { $0["topic"] as? String } == ["/ego/location/raw", "/ego/route/active"])
    #expect(session.next() == nil)
    let raw = LocationRaw(latDeg: 47.5, lonDeg: 9.25).encoded()
    bridge.publish(frame("ego/location/raw", raw), receivedNS: 1)
    #expect(session.next() == nil)
    session.handle(#"{"op": "subscribe", "subscriptions": [{"id": 258, "channelId": 1}]}"#)
    #expect(log.all == ["began ego/location/raw"])
    bridge.publish(frame("ego/location/raw", raw), receivedNS: 0x0102)
    guard case .binary(let bytes)? = session.next() else {
      Issue.record("no message")
      return
    }
    #expect(Array(bytes[..<13]) == [1, 2, 1, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0])
    #expect(
      try object(String(decoding: bytes[13...], as: UTF8.self))["latitude"] as? Double == 47.5)
    session.handle(#"{"op": "unsubscribe", "subscriptionIds": [258]}"#)
    #expect(log.all.last == "ended ego/location/raw")
    session.leave()
  }

  @Test func `a second client is given the last value of a state, BUS-7`() throws {
    let bridge = bridge(Log())
    let first = try join(bridge)
    first.handle(#"{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 2}]}"#)
    bridge.publish(frame("ego/route/active", []), receivedNS: 1)
    let second = try join(bridge)
    _ = (second.next(), second.next())
    second.handle(#"{"op": "subscribe", "subscriptions": [{"id": 9, "channelId": 2}]}"#)
    guard case .binary? = second.next() else {
      Issue.record("no last value")
      return
    }
  }

  @Test(
    arguments: [
      "", "[]", "{}", #"{"op": "fly"}"#, #"{"op": "subscribe", "subscriptions": [{}]}"#,
      #"{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 77}]}"#,
      #"{"op": "unsubscribe", "subscriptionIds": [5]}"#,
    ])
  func `what is no command is answered with a status, BUS-7`(command: String) throws {
    let session = try join(bridge(Log()))
    _ = (session.next(), session.next())
    session.handle(command)
    #expect(try text(session.next())["op"] as? String == "status")
  }

  @Test func `a client that does not read loses the oldest messages, and is reported, BUS-7`()
    throws
  {
    let bridge = bridge(Log())
    let session = try join(bridge)
    _ = (session.next(), session.next())
    session.handle(#"{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 1}]}"#)
    let raw = LocationRaw(latDeg: 47.5, lonDeg: 9.25).encoded()
    for _ in 0..<80_000 { bridge.publish(frame("ego/location/raw", raw), receivedNS: 1) }
    let message = try text(session.next())["message"] as? String
    #expect(message?.contains("were dropped") == true)
    var count = 0
    while session.next() != nil { count += 1 }
    #expect(count > 1_000 && count < 80_000)
  }
}
