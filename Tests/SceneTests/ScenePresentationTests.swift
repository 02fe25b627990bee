import RoadGraph
import Scene
import Testing

@Suite struct ScenePresentationTests {
  @Test(arguments: [
    ("#2266cc", "#2266cc", "#2266cc"), ("#FF2266CC", "#2266cc", "#2266cc"),
    ("#802266cc", "#802266cc", "#2266cc80"), ("#00000000", "#00000000", "#00000000"),
    ("#0001020f", "#0001020f", "#01020f00"),
  ])
  func `a colour is read as ARGB and written for CSS, RN-10`(
    text: String, argb: String, css: String
  ) {
    let colour = ARGB(text)
    #expect(colour?.text == argb)
    #expect(colour?.cssText == css)
  }

  @Test(arguments: ["", "#", "2266cc", "#22 6cc", "#12345", "#1234567", "#123456789", "#+12345"])
  func `a text that is no colour is not read, RN-10`(text: String) {
    #expect(ARGB(text) == nil)
  }

  @Test func `a colour of a mode goes before one of all modes, RN-3, RN-10`() throws {
    let all = try #require(ARGB("#111111"))
    let car = try #require(ARGB("#222222"))
    var scene = ScenePresentation()
    scene.set(SceneColour(name: "ahead", value: car, mode: .car))
    scene.set(SceneColour(name: "ahead", value: all))
    scene.set(SceneColour(name: "jam", value: car, mode: .bicycle))
    #expect(scene.palette(for: .car) == ["ahead": car])
    #expect(scene.palette(for: nil) == ["ahead": all])
    #expect(scene.palette(for: .bicycle) == ["ahead": all, "jam": car])
    scene.set(SceneColour(name: "ahead", value: all, mode: .car))
    #expect(scene.colours.count == 3)
    #expect(scene.palette(for: .car) == ["ahead": all])
    scene.clearColour("ahead", mode: nil)
    #expect(scene.palette(for: nil).isEmpty)
  }

  @Test func `lines keep their order, and one of the same id replaces the other, RN-10`() throws {
    let black = try #require(ARGB("#000000"))
    var scene = ScenePresentation()
    for id in ["a", "b"] {
      scene.draw(try SceneLine(id: id, shape: "_izlhA~rlgdF_seK~hsB", colour: black))
    }
    scene.draw(
      try SceneLine(id: "a", shape: "_izlhA~rlgdF_seK~hsB", colour: black, widthPx: 12))
    #expect(scene.lines.map(\.id) == ["a", "b"])
    #expect(scene.lines.first?.widthPx == 12)
    scene.removeLine("a")
    scene.removeLine("never drawn")
    #expect(scene.lines.map(\.id) == ["b"])
  }

  @Test func `an old location stays grey whatever style is asked for, RN-7, RN-10`() throws {
    var scene = Scene()
    _ = scene.handle(location(0, seconds: 0))
    var presentation = ScenePresentation()
    presentation.indicator.look = .bicycle
    #expect(try scene.shown(.presentation(presentation)).indicator.style == .bicycle)
    #expect(try scene.shown(.tick(at(6))).indicator.style == .grey)
  }

  @Test func `off the route the speed is that of the location, TU-2`() throws {
    var scene = Scene()
    _ = scene.handle(.route(Road.route))
    _ = scene.handle(location(100, seconds: 0))
    _ = scene.handle(progress(100, speedMps: 13, seconds: 0))
    _ = scene.handle(location(110, northM: 60, speedMps: 4, seconds: 1))
    #expect(try scene.shown(.deviation).panel.speedMps == 4)
  }
}
