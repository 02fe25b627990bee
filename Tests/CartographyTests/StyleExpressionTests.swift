import Documents
import Foundation
import Testing

@testable import Cartography

@Suite struct StyleExpressionTests {
  private func value(
    _ json: String, zoom: Double = 10, _ feature: StyleProperties = [:],
    palette: [String: String] = [:]
  ) throws -> StyleValue {
    try StyleExpression(JSONReader.value(Array(json.utf8)), palette: palette)
      .value(zoom: zoom, feature)
  }

  @Test func `matches, comparisons and tags decide as MapLibre does, RN-5`() throws {
    let road: StyleProperties = ["class": .text("primary"), "rank": .number(3)]
    #expect(
      try value(#"["match", ["get", "class"], ["motorway", "primary"], 1, "path", 2, 0]"#, road)
        == .number(1))
    #expect(try value(#"["match", ["get", "kind"], "x", 1, 7]"#, road) == .number(7))
    #expect(try value(#"["all", ["has", "class"], ["!", ["has", "tunnel"]]]"#, road) == .bool(true))
    #expect(try value(#"["<=", ["get", "rank"], 3]"#, road) == .bool(true))
    #expect(try value(#"["<=", ["get", "class"], 3]"#, road) == .bool(false))
    #expect(try value(#"["-", 0, ["get", "rank"]]"#, road) == .number(-3))
    #expect(try value(#"["concat", "poi-", ["get", "rank"]]"#, road) == .text("poi-3"))
    #expect(try value(#"["slice", "A 5;E 35", 0, 3]"#) == .text("A 5"))
    #expect(try value(#"["/", ["coalesce", ["get", "height"], 60], 10]"#) == .number(6))
    #expect(try value(#""@land""#, palette: ["land": "#e9ece6"]) == .text("#e9ece6"))
  }

  @Test(arguments: [(4.0, 2.0), (10, 2), (11, 3.0), (12, 5), (20, 5)])
  func `an exponential curve passes through its stops, RN-5`(zoom: Double, wanted: Double) throws {
    let curve = #"["interpolate", ["exponential", 2], ["zoom"], 10, 2, 12, 5]"#
    let number = try #require(value(curve, zoom: zoom).number)
    #expect((number - wanted).magnitude < 1e-9)
  }

  @Test func `a step holds from its input on, RN-5`() throws {
    let step = #"["step", ["zoom"], "a", 12, "b", 14, "c"]"#
    #expect(try value(step, zoom: 11.9) == .text("a"))
    #expect(try value(step, zoom: 12) == .text("b"))
    #expect(try value(step, zoom: 15) == .text("c"))
  }

  @Test(arguments: [
    (#"["random"]"#, "random"), (#""@nothing""#, "nothing"),
    (#"["match", ["get", "a"], 1]"#, "match"),
    (#"["step", ["zoom"], 1, 5, 2, 4, 3]"#, "rising"), (#"["get", 1]"#, "get"),
  ])
  func `an expression that is not known names itself, RN-5`(json: String, word: String) {
    #expect { try value(json) } throws: { "\($0)".contains(word) }
  }
}

@Suite struct StyleSheetTests {
  static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Nodes/nav-renderer/page/style.json")

  private func sheet(_ theme: String) throws -> StyleSheet {
    try StyleSheet(template: JSONReader.value(Array(Data(contentsOf: Self.file))), theme: theme)
  }

  @Test(arguments: ["day", "night"])
  func `the page's style is read whole, in the colours of the theme, RN-5`(theme: String) throws {
    let sheet = try sheet(theme)
    let json = try JSONReader.value(Array(Data(contentsOf: Self.file)))
    #expect(sheet.layers.count == json["style"]?["layers"]?.array?.count)
    let land = json["palettes"]?[theme]?["land"]?.string
    #expect(sheet.layers.first?.value("background-color", zoom: 12).text == land)
    #expect(sheet["land"] == land)
    #expect(sheet.attribution.contains("OpenStreetMap"))
  }

  @Test func `roads have a width and a colour at each zoom, RN-5`() throws {
    let road = try #require(try sheet("day").layers.first { $0.id == "road" })
    let tags: StyleProperties = ["class": .text("primary")]
    #expect(road.filter.value(zoom: 15, tags).isTrue)
    #expect(!road.filter.value(zoom: 15, ["class": .text("path")]).isTrue)
    var before = 0.0
    for zoom in stride(from: 5.0, through: 18, by: 0.5) {
      let width = try #require(road.value("line-width", zoom: zoom, tags).number)
      #expect(width >= before)
      before = width
    }
    #expect(before > 20)
  }

  @Test func `another file and another theme are refused with a reason, RN-5`() throws {
    let json = try JSONReader.value(Array(Data(contentsOf: Self.file)))
    #expect { try StyleSheet(template: json, theme: "day", set: "pink") } throws: {
      "\($0)".contains("colour-blind")
    }
    let other = try StyleSheet(template: json, theme: "day", set: "high-contrast")
    #expect(try other.palette != sheet("day").palette)
    #expect { try sheet("dusk") } throws: { "\($0)".contains("day, night") }
    #expect { try StyleSheet(template: .object([:]), theme: "day") } throws: {
      "\($0)".contains("not a template")
    }
  }
}
