import Foundation
import Foundations
import Messages
import RendererStage
import Scene
import Stage
import Testing

/// `scene/control` and what follows from it on `scene/settings` and `scene/frame`.
@Suite struct RendererControlTests {
  private func reply(_ outputs: [EncodedOutput]) throws -> WireSceneSettings {
    guard case .reply("c", .ok(let payload))? = outputs.last else {
      throw Refusal(reason: "test", message: "no reply, or an error: \(outputs)")
    }
    return try SceneControlReply(decoding: payload).body
  }

  private let png: [UInt8] =
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]
    + Array("IHDR".utf8) + [0, 0, 0, 64, 0, 0, 0, 48, 8, 6, 0, 0, 0]

  @Test func `the parameters stand on scene settings with the first event, RN-10`() throws {
    var screen = try Screen([
      "camera": "fixed", "fixed_zoom": 15.0, "tilt_deg": 20.0, "north_up": true, "anchor_x": 0.4,
      "anchor_y": 0.6, "theme": "night", "eat_up": false, "frame_rate_hz": 50.0,
      "guidance_frame_rate_hz": 25.0,
      "colours": .strings(["ahead=#00AA55", "bicycle/jam=#80ff0000"]),
    ])
    let outputs = try screen.send(Screen.location(9.0), seconds: 0)
    let settings = try #require(try Screen.settings(outputs).first)
    #expect(
      settings
        == WireSceneSettings(
          camera: .fixed, tracking: true, fixedZoom: 15, tiltDeg: 20, northUp: true, anchorX: 0.4,
          anchorY: 0.6, theme: .night, eatUp: false, frameRateHz: 50, guidanceFrameRateHz: 25,
          indicator: .auto,
          colours: [
            WireSceneColour(name: "ahead", value: "#00aa55"),
            WireSceneColour(name: "jam", value: "#80ff0000", mode: .bicycle),
          ]))
    let later = try screen.send(Screen.location(9.001), seconds: 1)
    #expect(try Screen.settings(later).isEmpty, "it is said once")
  }

  @Test func `what a request names changes, and all else stays, RN-10`() throws {
    var screen = try Screen()
    let outputs = try screen.control(
      SceneControlRequest(
        camera: .speedBased, tiltDeg: 10, anchorY: 0.5, theme: .night, eatUp: false,
        frameRateHz: 20, guidanceFrameRateHz: 15, indicator: .car,
        layers: [WireSceneLayer(name: .traffic, visible: false)],
        colours: [WireSceneColour(name: "jam", value: "#112233", mode: .car)],
        routes: [WireSceneRoute(id: "mine", shape: "_izlhA~rlgdF_seK~hsB", colour: "#80aabbcc")]),
      seconds: 3)
    let settings = try #require(try Screen.settings(outputs).first)
    #expect(try reply(outputs) == settings)
    #expect(settings.camera == .speedBased && settings.tiltDeg == 10 && settings.anchorY == 0.5)
    #expect(settings.theme == .night && !settings.eatUp && settings.indicator == .car)
    #expect(settings.frameRateHz == 20 && settings.guidanceFrameRateHz == 15)
    #expect(settings.layers == [WireSceneLayer(name: .traffic, visible: false)])
    #expect(settings.colours == [WireSceneColour(name: "jam", value: "#112233", mode: .car)])
    #expect(settings.routes.map(\.id) == ["mine"] && settings.routes.map(\.colour) == ["#80aabbcc"])
    #expect(settings.fixedZoom == 16.5 && settings.anchorX == 0.5 && settings.tracking)

    let second = try reply(
      try screen.control(
        SceneControlRequest(
          theme: .day, layers: [WireSceneLayer(name: .traffic, visible: true)],
          colours: [WireSceneColour(name: "jam", value: "", mode: .car)],
          routes: [
            WireSceneRoute(id: "mine", shape: ""),
            WireSceneRoute(
              id: "other", shape: "_izlhA~rlgdF_seK~hsB", colour: "#00ff00", outline: "#000000"),
          ]), seconds: 4))
    #expect(second.theme == .day && second.layers.isEmpty && second.colours.isEmpty)
    #expect(second.routes.map(\.id) == ["other"] && second.routes.first?.outline == "#000000")
    #expect(second.tiltDeg == 10 && second.indicator == .car, "not named, so it stays")

    let reset = try reply(try screen.control(SceneControlRequest(reset: true), seconds: 5))
    var fresh = try Screen()
    #expect(reset == (try reply(try fresh.control(SceneControlRequest(), seconds: 0))))
  }

  @Test func `a request without a field reads, and publishes nothing, RN-10`() throws {
    var screen = try Screen()
    _ = try screen.send(Screen.location(9), seconds: 0)
    let outputs = try screen.control(SceneControlRequest(), seconds: 1)
    #expect(outputs.count == 1)
    #expect(try reply(outputs).frameRateHz == 60)
  }

  @Test func `a colour that a call takes back is that of the parameters again, RN-10`() throws {
    var screen = try Screen(["colours": .strings(["ahead=#00aa55"])])
    var request = SceneControlRequest(colours: [WireSceneColour(name: "ahead", value: "#ff0000")])
    #expect(try reply(screen.control(request, seconds: 0)).colours.map(\.value) == ["#ff0000"])
    request.colours = [WireSceneColour(name: "ahead", value: "")]
    #expect(try reply(screen.control(request, seconds: 1)).colours.map(\.value) == ["#00aa55"])
  }

  @Test func `what cannot be is refused with its field, and changes nothing, RN-10`() throws {
    let huge = png.replacing(at: 16, with: [0, 0, 8, 1])
    let big = Array("<svg>".utf8) + [UInt8](repeating: 32, count: IndicatorPicture.byteLimit)
    let cases: [(SceneControlRequest, field: String, text: String)] = [
      (.init(colours: [.init(name: "ahaed", value: "#fff000")]), "colours[0].name", "\"ahead\"?"),
      (.init(colours: [.init(name: "xyzzy", value: "#fff000")]), "colours[0].name", "ahead-edge"),
      (
        .init(colours: [.init(name: "jam", value: ""), .init(name: "jam", value: "#ff")]),
        "colours[1].value", "#aarrggbb"
      ),
      (.init(colours: [.init(name: "jam", value: "#gg0000")]), "colours[0].value", "#gg0000"),
      (.init(routes: [.init(id: "a", shape: "_izlhA~r")]), "routes[0].shape", "byte 8"),
      (.init(routes: [.init(id: "a", shape: "_izlhA~rlgdF")]), "routes[0].shape", "two points"),
      (
        .init(routes: [.init(id: "a", shape: "_izlhA~rlgdF_seK~hsB", colour: "red")]),
        "routes[0].colour", "red"
      ),
      (
        .init(
          routes: [.init(id: "a", shape: "_izlhA~rlgdF_seK~hsB", outline: "#12345")]),
        "routes[0].outline", "#12345"
      ),
      (.init(routes: [.init(id: "", shape: "_izlhA~rlgdF_seK~hsB")]), "routes[0].id", "id"),
      (.init(indicator: .picture), "indicator", "indicator_picture"),
      (.init(indicatorPicture: png), "indicator_picture_type", "png, svg or glb"),
      (.init(indicatorPictureType: .png), "indicator_picture_type", "no bytes"),
      (.init(indicatorPicture: [1, 2], indicatorPictureType: .png), "indicator_picture", "PNG"),
      (.init(indicatorPicture: huge, indicatorPictureType: .png), "indicator_picture", "2049"),
      (.init(indicatorPicture: big, indicatorPictureType: .svg), "indicator_picture", "262144"),
      (.init(indicatorPicture: png, indicatorPictureType: .svg), "indicator_picture", "SVG"),
      (.init(indicatorPicture: png, indicatorPictureType: .glb), "indicator_picture", "glTF"),
    ]
    var screen = try Screen()
    _ = try screen.send(Screen.location(9), seconds: 0)
    let before = try screen.control(SceneControlRequest(), seconds: 0)
    for (bad, field, text) in cases {
      // The rest of the request is fine, and is not taken either.
      var request = bad
      request.theme = .night
      let error = try #require(Screen.error(try screen.control(request, seconds: 1)), "\(field)")
      #expect(error.code == "invalid" && error.field == field, "\(error)")
      #expect(error.message.contains(text), "\(error)")
    }
    #expect(try reply(screen.control(SceneControlRequest(), seconds: 2)) == reply(before))
    #expect(screen.stage.savedState == nil)
  }

  @Test func `lines of several calls together have a bound, RN-10`() throws {
    var screen = try Screen()
    _ = try screen.send(Screen.location(9), seconds: 0)
    let points = String(repeating: "??", count: 300_000)
    func draw(_ id: String) throws -> [EncodedOutput] {
      try screen.control(
        SceneControlRequest(routes: [WireSceneRoute(id: id, shape: points)]), seconds: 1)
    }
    #expect(try reply(draw("a")).routes.map(\.id) == ["a"])
    let error = try #require(Screen.error(try draw("b")))
    #expect(error.code == "invalid" && error.field == "routes")
    #expect(error.message.contains("1048576"))
    #expect(try reply(screen.control(SceneControlRequest(), seconds: 2)).routes.map(\.id) == ["a"])
  }

  @Test func `garbage is refused and changes nothing, RN-10, BUS-5`() throws {
    var screen = try Screen()
    for payload: [UInt8] in [[0xC1], [0x81, 0xA8] + Array("tilt_deg".utf8) + [0xCC, 0xFF]] {
      let call = EncodedCall(
        id: "c", name: SceneControlRequest.call, stamp: Instant(seconds: 0), payload: payload)
      #expect(throws: Refusal.self) { _ = try screen.stage.receive(.call(call)) }
    }
    #expect(try reply(screen.control(SceneControlRequest(), seconds: 0)).tiltDeg == 50)
  }

  @Test func `a camera that does not track stays while the indicator goes on, RN-2, RN-10`() throws
  {
    var screen = try Screen()
    let first = try #require(try Screen.frames(screen.send(Screen.location(9), seconds: 0)).first)
    let freed = try screen.control(SceneControlRequest(tracking: false), seconds: 0.5)
    #expect(try Screen.frames(freed).map(\.cameraMode) == [.free], "at once, not with the next fix")
    let later = try #require(
      try Screen.frames(screen.send(Screen.location(9.005), seconds: 30)).first)
    #expect(later.cameraMode == .free)
    #expect(later.cameraLonDeg == first.cameraLonDeg && later.cameraZoom == first.cameraZoom)
    #expect((later.indicatorLonDeg ?? 0) > 9.004)
    let back = try #require(
      try Screen.frames(screen.control(SceneControlRequest(tracking: true), seconds: 31)).first)
    #expect(back.cameraMode == .speedBased)
    #expect(back.cameraLonDeg == back.indicatorLonDeg)
  }

  @Test func `frames follow the camera, the theme and the indicator of a call, RN-7, RN-10`() throws
  {
    var screen = try Screen()
    _ = try screen.send(Screen.location(9), seconds: 0)
    func frame(_ request: SceneControlRequest) throws -> SceneFrame {
      try #require(try Screen.frames(screen.control(request, seconds: 1)).first)
    }
    let fixed = try frame(
      SceneControlRequest(
        camera: .fixed, fixedZoom: 19, tiltDeg: 30, anchorX: 0.25, anchorY: 0.9, theme: .night))
    #expect(fixed.cameraMode == .fixed && fixed.cameraZoom == 19 && fixed.cameraTiltDeg == 30)
    #expect(fixed.anchorX == 0.25 && fixed.anchorY == 0.9 && fixed.night)
    #expect(fixed.cameraBearingDeg == 90)
    let north = try frame(SceneControlRequest(northUp: true))
    #expect(north.cameraBearingDeg == 0 && north.cameraTiltDeg == 0)
    #expect(try frame(SceneControlRequest(indicator: .pedestrian)).indicatorStyle == .pedestrian)
    for hidden in [
      SceneControlRequest(indicator: .hidden),
      SceneControlRequest(
        indicator: .auto, layers: [WireSceneLayer(name: .indicator, visible: false)]),
    ] {
      let frame = try frame(hidden)
      #expect(frame.indicatorLatDeg == nil && frame.indicatorLonDeg == nil)
      #expect(frame.indicatorBearingDeg == nil && frame.cameraLonDeg == 9)
    }
  }

  @Test func `an own picture is kept, and replaces the look by mode, RN-10`() throws {
    var screen = try Screen()
    let settings = try reply(
      screen.control(
        SceneControlRequest(
          indicator: .picture, indicatorPicture: png, indicatorPictureType: .png), seconds: 0))
    #expect(settings.indicatorPicture == png && settings.indicatorPictureType == .png)
    let auto = try reply(screen.control(SceneControlRequest(indicator: .auto), seconds: 1))
    #expect(auto.indicatorPicture == png, "for the next time")
    let removed = try reply(screen.control(SceneControlRequest(indicatorPicture: []), seconds: 2))
    #expect(removed.indicatorPicture == nil && removed.indicatorPictureType == nil)
    for (kind, bytes) in [
      (SceneControlRequest.IndicatorPictureType.svg, Array("<?xml?><svg/>".utf8)),
      (.glb, Array("glTF".utf8) + [2, 0, 0, 0]),
    ] {
      let request = SceneControlRequest(indicatorPicture: bytes, indicatorPictureType: kind)
      #expect(try reply(screen.control(request, seconds: 3)).indicatorPicture == bytes)
    }
  }

  private var everything: SceneControlRequest {
    SceneControlRequest(
      camera: .fixed, tracking: false, fixedZoom: 12, tiltDeg: 1, northUp: true, anchorX: 0.1,
      anchorY: 0.2, theme: .night, eatUp: false, frameRateHz: 5, guidanceFrameRateHz: 6,
      indicator: .picture, indicatorPicture: png, indicatorPictureType: .png,
      layers: [
        WireSceneLayer(name: .panel, visible: false), WireSceneLayer(name: .labels, visible: false),
      ],
      colours: [
        WireSceneColour(name: "ahead", value: "#010203"),
        WireSceneColour(name: "ahead", value: "#04010203", mode: .pedestrian),
      ],
      routes: [
        WireSceneRoute(
          id: "a", shape: "_izlhA~rlgdF_seK~hsB", colour: "#11223344", outline: "#556677",
          widthPx: 3)
      ])
  }

  @Test func `a restart keeps what calls changed, and takes other parameters, RN-10, BUS-1`() throws
  {
    var screen = try Screen()
    #expect(screen.stage.savedState == nil)
    let whole = try reply(screen.control(everything, seconds: 0))
    var same = try Screen()
    try same.stage.restore(try #require(screen.stage.savedState))
    let reported = try Screen.settings(same.stage.receive(.wake(now: Instant(seconds: 9))))
    #expect(reported.map { $0.encoded() } == [SceneControlReply(whole).encoded()])

    var small = try Screen()
    _ = try small.control(SceneControlRequest(tiltDeg: 7), seconds: 0)
    var other = try Screen(["anchor_x": 0.3, "tilt_deg": 60.0])
    try other.stage.restore(try #require(small.stage.savedState))
    let settings = try reply(other.control(SceneControlRequest(), seconds: 1))
    #expect(settings.tiltDeg == 7 && settings.anchorX == 0.3)
    #expect(throws: Refusal.self) { try other.stage.restore([0xC1]) }
  }

  @Test func `a successor shows the scene as its predecessor did, RN-10, BUS-1`() throws {
    var screen = try Screen()
    _ = try screen.send(Screen.location(9), seconds: 0)
    _ = try screen.control(everything, seconds: 1)
    var next = try Screen()
    try next.stage.takeOver(try #require(screen.stage.handOverState))
    let outputs = try next.send(Screen.location(9.002), seconds: 2)
    #expect(try Screen.settings(outputs).isEmpty, "the bus has it already")
    #expect(
      try Screen.frames(outputs) == Screen.frames(screen.send(Screen.location(9.002), seconds: 2)))
    var other = try Screen(["colours": .strings(["jam=#123456"])])
    try other.stage.takeOver(try #require(screen.stage.handOverState))
    let reported = try Screen.settings(other.send(Screen.location(9.003), seconds: 3))
    #expect(reported.first?.colours.map(\.name) == ["ahead", "ahead", "jam"])
    #expect(reported.first?.tracking == false)
  }

  @Test(arguments: [
    ("ahaed=#112233", "\"ahead\"?"), ("ahead", "name=#rrggbb"), ("ahead=blue", "blue"),
    ("horse/ahead=#112233", "horse"),
  ])
  func `a colour in the parameters that is none is refused, RN-7`(entry: String, text: String) {
    let failure = #expect(throws: StageFailure.self) {
      _ = try Screen(["colours": .strings([entry])])
    }
    #expect(failure?.message.contains(text) == true, "\(failure?.message ?? "")")
  }

  @Test func `the renderer knows the colours of the page's style, RN-7, RN-10`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let file = root.appending(path: "Sources/Nodes/nav-renderer/page/style.json")
    let style = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
    let palettes = try #require(
      (style as? [String: Any])?["palettes"] as? [String: [String: String]])
    #expect(palettes.keys.sorted() == ["day", "night"])
    for palette in palettes.values {
      #expect(Set(palette.keys) == SceneColour.names)
      #expect(palette.values.allSatisfy { ARGB($0) != nil })
    }
    let sets = try #require(
      (style as? [String: Any])?["colour_sets"] as? [String: [String: [String: String]]])
    #expect(sets.keys.sorted() == ["colour-blind", "high-contrast"])
    for palette in sets.values.flatMap(\.values) {
      #expect(SceneColour.names.isSuperset(of: palette.keys))
      #expect(palette.values.allSatisfy { ARGB($0) != nil })
    }
  }
}

extension [UInt8] {
  fileprivate func replacing(at start: Int, with bytes: [UInt8]) -> [UInt8] {
    Array(self[..<start]) + bytes + Array(self[(start + bytes.count)...])
  }
}
