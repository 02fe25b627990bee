import Film
import Foundation
import Geodesy
import MapPicture
import Messages
import Testing

@Suite struct MapPictureTests {
  private func pixels(_ scene: GoldenScenes.Scene) throws -> Pixels {
    let painter = try GoldenScenes.painter(width: scene.width, height: scene.height)
    return Pixels(
      width: painter.widthPx, height: painter.heightPx, bytes: try painter.pixels(scene.scene))
  }

  /// NAV_GOLDEN=FOLDER writes the pictures there; look at them before they replace those of Golden.
  @Test(arguments: GoldenScenes.all.map(\.name))
  func `pictures look as those that were judged by eye, RN-5`(name: String) throws {
    let scene = try #require(GoldenScenes.all.first { $0.name == name })
    let drawn = try pixels(scene)
    if let folder = ProcessInfo.processInfo.environment["NAV_GOLDEN"] {
      let file = PNGImage.file(drawn.bytes, width: drawn.width, height: drawn.height)
      try Data(file).write(to: URL(filePath: folder).appending(path: name + ".png"))
    }
    let golden = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/\(name).png")
    let judged = try #require(Pixels(png: golden.path))
    let similarity = drawn.similarity(to: judged)
    #expect(similarity >= 0.98, "\(name): \(similarity)")
  }

  @Test func `another picture is not similar, RN-5`() throws {
    let scene = try #require(GoldenScenes.all.first)
    var moved = scene
    moved.scene.frame.cameraLonDeg += 0.0004
    let (a, b) = (try pixels(scene), try pixels(moved))
    #expect(a.similarity(to: a) > 0.9999)
    #expect(a.similarity(to: b) < 0.9)
  }

  @Test func `the same scenes give the same frames, RN-5`() throws {
    func film() throws -> [[UInt8]] {
      let painter = try GoldenScenes.painter(width: 320, height: 180)
      return try (0..<6).map { index in
        try painter.pixels(
          GoldenScenes.drive(drivenShare: 0.1 * Double(index)),
          stepS: index == 0 ? .infinity : 0.1)
      }
    }
    let frames = try film()
    #expect(try film() == frames)
    #expect(Set(frames).count == 6)
  }

  /// Whether a picture has a pixel close to a colour.
  private func count(_ colour: [Int], in pixels: Pixels) -> Int {
    stride(from: 0, to: pixels.bytes.count, by: 3).count { place in
      (0..<3).allSatisfy { abs(Int(pixels.bytes[place + $0]) - colour[$0]) <= 6 }
    }
  }

  @Test func `the route is eaten up, and has the colours of its traffic, RN-5, RN-3`() throws {
    func colours(_ share: Double) throws -> [String: Int] {
      var drive = GoldenScenes.drive(drivenShare: share)
      drive.frame.cameraTiltDeg = 0
      drive.frame.cameraZoom = 14
      drive.showsPanel = false
      let scene = GoldenScenes.Scene(name: "", width: 640, height: 480, scene: drive)
      let drawn = try pixels(scene)
      return [
        "behind": count([0xb3, 0xb5, 0xb8], in: drawn),
        "ahead": count([0x2f, 0x7d, 0xf6], in: drawn),
        "slow": count([0xf0, 0xa0, 0x20], in: drawn), "jam": count([0xe5, 0x48, 0x4d], in: drawn),
      ]
    }
    let (early, late) = (try colours(0.1), try colours(0.9))
    #expect((early["slow"] ?? 0) > 100 && (early["jam"] ?? 0) > 100)
    #expect((late["behind"] ?? 0) > 2 * (early["behind"] ?? 0))
    #expect((late["ahead"] ?? 0) * 2 < (early["ahead"] ?? 0))
  }

  @Test func `a night scene has the night's colours, RN-5`() throws {
    let scene = GoldenScenes.Scene(
      name: "", width: 320, height: 180,
      scene: PictureScene(frame: GoldenScenes.frame(GoldenScenes.hall, zoom: 14, night: true)))
    let drawn = try pixels(scene)
    let mean = drawn.bytes.reduce(0) { $0 + Int($1) } / drawn.bytes.count
    #expect(mean < 80)
  }

  @Test func `hostile scenes are drawn or refused, never crash, RN-5`() throws {
    let painter = try GoldenScenes.painter(width: 200, height: 120)
    var drive = GoldenScenes.drive()
    for (zoom, tilt) in [(0.0, 85.0), (24, 0), (22, 85), (-3, 200), (.nan, 0), (5, .nan)] {
      drive.frame.cameraZoom = zoom
      drive.frame.cameraTiltDeg = tilt
      _ = try painter.pixels(drive)
    }
    drive = GoldenScenes.drive()
    drive.frame.panel?.maneuverIndex = .max
    drive.frame.eatUpShapeIndex = .min
    drive.frame.eatUpShapeFraction = .nan
    drive.frame.panel?.remainingS = .infinity
    drive.frame.panel?.etaNs = .min
    drive.frame.panel?.speedMps = .nan
    _ = try painter.pixels(drive)
    #expect { try GoldenScenes.painter(width: 60_000, height: 60_000) } throws: {
      "\($0)".contains("no memory")
    }
    #expect { try PictureMap(path: "/nowhere.navmap") } throws: { "\($0)".contains("map:") }
  }
}
