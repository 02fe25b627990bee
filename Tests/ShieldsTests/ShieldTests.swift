import RoadNumbering
import Testing

@testable import Shields

/// Shields as pictures: what they show, their size, their key, and their faults.
@Suite struct ShieldTests {
  private let box = ShieldBox(widthPx: 200, heightPx: 100)

  private func picture(
    _ number: String?, _ country: String?, state: String? = nil, level: Int? = nil,
    direction: String? = nil, scheme: ShieldScheme = .map, night: Bool = false
  ) throws(ShieldFault) -> ShieldPicture {
    try Shield.make(
      ShieldProperties(
        number: number, level: level, country: country, state: state, direction: direction),
      box: box, scheme: scheme, night: night)
  }

  private func texts(_ picture: ShieldPicture) -> [String] {
    picture.drawing.elements.compactMap { element in
      if case .text(let item) = element { item.text } else { nil }
    }
  }

  private func colours(_ picture: ShieldPicture) -> [String] {
    picture.drawing.elements.compactMap { element in
      if case .fill(_, let colour) = element { colour } else { nil }
    }
  }

  /// Number, country, text inside the sign, colour of the face, description.
  static let signs: [(String, String, String, SignColour, String)] = [
    ("A 5", "DE", "5", SignColour.blue, "Autobahn 5"),
    ("B 3", "DE", "3", .yellow, "Bundesstraße 3"), ("L 600a", "DE", "L 600a", .white, "L 600a"),
    ("D 906", "FR", "D 906", .yellow, "D 906"), ("D 2", "RE", "D 2", .yellow, "D 2"),
    ("M25", "GB", "M25", .blue, "M25"), ("B4009", "GB", "B4009", .white, "B4009"),
    ("E 35", "DE", "E35", .green, "European route E35"), ("A1", "IT", "A1", .green, "A1"),
    ("S8", "PL", "S8", .red, "S8"), ("G2", "CN", "G2", .green, "Expressway G2"),
    ("Q 7", "XY", "Q 7", .grey, "Q 7"), ("b 3", "de", "3", .yellow, "Bundesstraße 3"),
  ]

  @Test("the sign is that of the country's network, RN-4", arguments: signs)
  func networks(
    _ number: String, _ country: String, _ text: String, _ face: SignColour, _ description: String
  ) throws {
    let picture = try picture(number, country)
    #expect(texts(picture) == [text])
    #expect(colours(picture).contains(face.hex(night: false)))
    #expect(picture.description == description)
  }

  @Test("Interstates, US routes and states differ, directions are read out, RN-4")
  func unitedStates() throws {
    let interstate = try picture("I 80", "US", direction: "east")
    #expect(interstate.description == "Interstate 80 East")
    #expect(texts(interstate) == ["80"])
    #expect(colours(interstate).contains(SignColour.red.hex(night: false)))
    #expect(try picture("US 101", "US").description == "US Route 101")
    let california = try picture("CA 1", "US")
    #expect(california.description == "California State Route 1")
    #expect(colours(california).contains(SignColour.green.hex(night: false)))
    let washington = try picture("SR 520", "US", state: "US-WA")
    #expect(washington.description == "Washington State Route 520")
    // A territory without a sign of its own here carries its letters.
    #expect(try texts(picture("SR 4", "US", state: "US-GU")) == ["GU", "4"])
    let outlines = try ["I 80", "US 80", "CA 80", "NY 80", "PA 80", "TX 80", "FL 80", "CR 80"].map {
      number throws(ShieldFault) in try picture(number, "US").drawing.elements
    }
    #expect(Set(outlines).count == outlines.count)
  }

  @Test("a panel shows direction and caption, a map does not, RN-4, RN-11")
  func schemes() throws {
    let panel = try picture("I 80", "US", direction: "east", scheme: .panel)
    #expect(texts(panel) == ["EAST", "INTERSTATE", "80"])
    #expect(try texts(picture("I 80", "US", direction: "east")) == ["80"])
    // Signs in Germany have no direction.
    #expect(try texts(picture("A 5", "DE", direction: "north", scheme: .panel)) == ["5"])
    let lengths = try [picture("A 5", "DE"), picture("A 5", "DE", scheme: .panel)].map(\.svg)
    #expect(lengths[0] != lengths[1])
  }

  @Test("night has darker colours, RN-4, RN-11")
  func night() throws {
    let (day, night) = (try picture("B 3", "DE"), try picture("B 3", "DE", night: true))
    #expect(colours(day) != colours(night))
    #expect(day.drawing.width == night.drawing.width)
  }

  @Test("no number gives no shield, no country an error that says so, RN-4")
  func missing() {
    #expect(throws: ShieldFault.noNumber) { try picture(nil, "DE") }
    #expect(throws: ShieldFault.noNumber) { try picture(" ; ", "DE") }
    #expect(throws: ShieldFault.noCountry) { try picture("B 3", nil) }
    #expect(throws: ShieldFault.noCountry) { try picture("B 3", "") }
    #expect(ShieldFault.noNumber.code == "no_number")
    #expect(ShieldFault.noCountry.code == "no_country")
    #expect(ShieldFault.noCountry.description.contains("country"))
  }

  @Test("values out of range are refused by name, RN-4, RN-11")
  func invalid() throws {
    func field(_ properties: ShieldProperties, _ box: ShieldBox) -> String? {
      do throws(ShieldFault) {
        _ = try Shield.make(properties, box: box)
        return nil
      } catch {
        if case .invalid(let field, _) = error { return field }
        return error.code
      }
    }
    let plain = ShieldProperties(number: "B 3", country: "DE")
    #expect(field(plain, box) == nil)
    #expect(field(plain, ShieldBox(widthPx: 0, heightPx: 50)) == "width_px")
    #expect(field(plain, ShieldBox(widthPx: 50, heightPx: .nan)) == "height_px")
    #expect(field(plain, ShieldBox(widthPx: 50, heightPx: .infinity)) == "height_px")
    #expect(field(ShieldProperties(number: "B 3", country: "DEU"), box) == "country")
    #expect(field(ShieldProperties(number: "B 3", country: "1é"), box) == "country")
    #expect(field(ShieldProperties(number: "B 3", level: 7, country: "DE"), box) == "level")
    let long = String(repeating: "9", count: 25)
    #expect(field(ShieldProperties(number: long, country: "DE"), box) == "number")
    #expect(field(ShieldProperties(number: "B\u{0}3", country: "DE"), box) == "number")
    #expect(
      field(ShieldProperties(number: "B 3", shieldText: "\u{1b}", country: "DE"), box)
        == "shield_text")
  }

  @Test("properties given by hand: the level tells the network of a bare text, RN-4")
  func byHand() throws {
    let picture = try Shield.make(
      ShieldProperties(shieldText: "3", level: 2, country: "DE"), box: box)
    #expect(picture.description == "Bundesstraße 3")
    #expect(texts(picture) == ["3"])
    let california = try Shield.make(
      ShieldProperties(shieldText: "1", level: 3, country: "US", state: "US-CA"), box: box)
    #expect(california.description == "California State Route 1")
    // A text of one's own replaces that of the number, not its network.
    let own = try Shield.make(
      ShieldProperties(number: "A 5", shieldText: "A5", country: "DE"), box: box)
    #expect(texts(own) == ["A5"])
    #expect(colours(own).contains(SignColour.blue.hex(night: false)))
  }

  @Test("a road's number makes the same shield as its fields by hand, RN-4, RN-11")
  func ofRoadNumber() throws {
    let number = RoadNumber(
      "401", country: "CA", classLevel: 1,
      route: RouteRelationNumber(network: "CA:ON:primary", direction: "west"))
    let picture = try Shield.make(ShieldProperties(number, country: "CA"), box: box)
    #expect(picture.description == "Ontario Highway 401 West")
    let several = try self.picture("A 5;B 3", "DE")
    #expect(several.description == "Autobahn 5")
  }

  @Test(
    "the picture fits into the box and keeps its aspect, RN-4, RN-11",
    arguments: [(200.0, 100.0), (40, 40), (300, 20), (20, 300), (8, 8), (4096, 4096)]
      as [(Double, Double)])
  func size(_ widthPx: Double, _ heightPx: Double) throws {
    for (number, country) in [("A 5", "DE"), ("I 80", "US"), ("SS 659 var", "IT")] {
      let picture = try Shield.make(
        ShieldProperties(number: number, country: country),
        box: ShieldBox(widthPx: widthPx, heightPx: heightPx))
      #expect(Double(picture.widthPx) <= widthPx && Double(picture.heightPx) <= heightPx)
      let aspect = picture.drawing.width / picture.drawing.height
      #expect(abs(Double(picture.widthPx) - Double(picture.heightPx) * aspect) <= 1 + aspect)
      // One side fills the box.
      #expect(Double(picture.widthPx) > widthPx - 1 || Double(picture.heightPx) > heightPx - 1)
    }
  }

  @Test("texts stay within the sign, however long, RN-4")
  func fit() throws {
    for text in ["1", "888", "WWWWWWWW", "M 123456789 MMMM", "国道一二三四五六七八"] {
      for country in ["DE", "US", "FR", "JP", "CN", "XX"] {
        let picture = try picture(text, country, level: 1, scheme: .panel)
        for case .text(let item) in picture.drawing.elements {
          #expect(item.x - item.width / 2 >= 0, "\(country) \(text)")
          #expect(item.x + item.width / 2 <= picture.drawing.width, "\(country) \(text)")
          #expect(item.baselineY <= picture.drawing.height && item.size > 0)
          // Never condensed beyond reading.
          #expect(item.width >= ShieldText.widthEm(item.text) * item.size * 0.7)
        }
      }
    }
  }

  @Test("the key holds all that the picture depends on, RN-4, RN-11")
  func key() throws {
    let base = ShieldProperties(
      number: "A 5", shieldText: "5", level: 1, country: "DE", state: "DE-BW", direction: "north",
      network: "DE:A")
    var keys: Set<String> = []
    func add(
      _ properties: ShieldProperties, _ box: ShieldBox, _ scheme: ShieldScheme, _ night: Bool
    ) {
      keys.insert(Shield.key(properties, box: box, scheme: scheme, night: night))
    }
    add(base, box, .map, false)
    add(base, box, .map, false)
    #expect(keys.count == 1)
    for change: (inout ShieldProperties) -> Void in [
      { $0.number = "A 6" }, { $0.number = nil }, { $0.shieldText = "A5" }, { $0.level = 2 },
      { $0.country = "AT" }, { $0.state = nil }, { $0.direction = "south" }, { $0.network = nil },
      { $0.number = "A|5" }, { $0.number = "" },
    ] {
      var other = base
      change(&other)
      add(other, box, .map, false)
    }
    add(base, ShieldBox(widthPx: 100, heightPx: 100), .map, false)
    add(base, box, .panel, false)
    add(base, box, .map, true)
    #expect(keys.count == 14)
    #expect(
      try Shield.make(base, box: box).key == Shield.key(base, box: box, scheme: .map, night: false))
  }

  @Test("the SVG is one well-formed document with escaped texts, RN-11")
  func svg() throws {
    let svg = try picture("<&\"> 1", "XX", level: 3).svg
    #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""))
    #expect(svg.hasSuffix("</svg>"))
    #expect(svg.contains("&lt;&amp;&quot;&gt; 1"))
    #expect(!svg.contains("nan") && !svg.contains("inf"))
    #expect(svg.contains("textLength="))
  }

  @Test("every row of the table of signs can be read, RN-4")
  func table() {
    #expect(ShieldTable.unreadable.isEmpty, "\(ShieldTable.unreadable)")
    #expect(ShieldTable.styles.count > 150)
  }
}
