import DrawnRoutes
import Foundations
import Messages
import RendererStage
import RoadGraph
import Route
import RouteWire
import Stage
import Testing

/// The call `scene/shield`, RN-11.
@Suite struct ShieldCallTests {
  private func stage() throws -> RendererStage {
    let parameters = try Parameters(
      ["map": .string("town.navmap")], declared: RendererStage.manifest.parameters)
    return RendererStage(vehicle: "ego", shared: try RendererSettings(parameters))
  }

  private func ask(
    _ stage: inout RendererStage, _ request: SceneShieldRequest
  ) throws -> Result<SceneShieldReply, CallError> {
    let call = EncodedCall(
      id: "c", name: SceneShieldRequest.call, stamp: Instant(seconds: 0),
      payload: request.encoded())
    for case .reply(_, let outcome) in try stage.receive(.call(call)) {
      switch outcome {
      case .ok(let payload): return .success(try SceneShieldReply(decoding: payload))
      case .failed(let error): return .failure(error)
      }
    }
    throw CallError(code: "internal", message: "there is no reply")
  }

  private func code(_ result: Result<SceneShieldReply, CallError>) -> String? {
    if case .failure(let error) = result { error.code } else { nil }
  }

  @Test func `a shield by hand is an SVG with a description that fits its box, RN-11, RN-4`() throws
  {
    var stage = try stage()
    let reply = try ask(
      &stage,
      SceneShieldRequest(
        number: "I 80", country: "US", stateCode: "US-CA", direction: "west", widthPx: 80,
        heightPx: 40)
    ).get()
    let text = String(decoding: reply.picture, as: UTF8.self)
    #expect(text.hasPrefix("<svg") && text.contains(">80<"))
    #expect(reply.widthPx <= 80 && reply.heightPx <= 40)
    #expect(reply.description.contains("80"))
    // Equal properties are the same picture; another number is another.
    let again = try ask(
      &stage,
      SceneShieldRequest(
        number: "I 80", country: "US", stateCode: "US-CA", direction: "west", widthPx: 80,
        heightPx: 40)
    ).get()
    #expect(again == reply)
    let other = try ask(
      &stage, SceneShieldRequest(number: "I 81", country: "US", widthPx: 80, heightPx: 40)
    ).get()
    #expect(other.key != reply.key)
  }

  @Test func `a shield is a PNG where that is asked for, RN-11`() throws {
    var stage = try stage()
    let reply = try ask(
      &stage, SceneShieldRequest(number: "B 3", country: "DE", format: .png)
    ).get()
    #expect(reply.format == .png)
    #expect(reply.picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test func `a span of the active route has the shield of its road, RN-11, RN-4`() throws {
    var stage = try stage()
    var route = drawn("abcd")
    route.spans[1].road = RoadFacts(
      name: "Main Street", number: "B 3", roadClass: .primary, country: "DE")
    let active = RouteActive(reason: .new, route: route.wire)
    _ = try stage.receive(
      .message(
        EncodedMessage(
          topic: RouteActive.topic, stamp: Instant(seconds: 0), source: "navigator", run: 1,
          sequence: 1, payload: active.encoded())))
    #expect(try ask(&stage, SceneShieldRequest(span: 1)).get().description.contains("3"))
    #expect(code(try ask(&stage, SceneShieldRequest(span: 0))) == "no_number")
    #expect(code(try ask(&stage, SceneShieldRequest(span: 9))) == "invalid")
  }

  @Test func `without number or country there is an error that says so, RN-11, RN-4`() throws {
    var stage = try stage()
    #expect(code(try ask(&stage, SceneShieldRequest(country: "DE"))) == "no_number")
    #expect(code(try ask(&stage, SceneShieldRequest(number: "B 3"))) == "no_country")
    #expect(code(try ask(&stage, SceneShieldRequest(span: 0))) == "invalid")
  }
}
