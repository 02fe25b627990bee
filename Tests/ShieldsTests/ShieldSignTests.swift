import RoadNumbering
import Testing

@testable import Shields

/// Road numbers of many countries as they are in OpenStreetMap, and the signs that they get.
@Suite struct ShieldSignTests {
  /// Country with state and level of the road's class, `ref`, and for each of its numbers the row of the table, the text in the
  /// sign and the description.
  struct Sign: CustomTestStringConvertible, Sendable {
    var country: String
    var state: String?
    var classLevel: Int
    var ref: String
    var expected: [String]

    init(_ row: Substring) {
      let cells = row.split(separator: "|").map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      let place = cells[0].split(separator: "@")
      country = String(place[0].prefix(2))
      state = place[0].count > 2 ? String(place[0]) : nil
      classLevel = place.count > 1 ? Int(place[1]) ?? 6 : 6
      ref = cells[1]
      expected = Array(cells.dropFirst(2))
    }

    var testDescription: String { "\(country) \(ref)" }
  }

  static let signs: [Sign] = """
    DE@1 | A 5 | DE:A, 5, Autobahn 5
    DE@3 | B 37 | DE:B, 37, Bundesstraße 37
    DE@1 | E45;A 7 | e-road, E45, European route E45 | DE:A, 7, Autobahn 7
    DE@4 | L 531 | DE:L, L 531, L 531
    DE@4 | St 2045 | DE:St, St 2045, St 2045
    DE@5 | K 4149 | DE:K, K 4149, K 4149
    AT@1 | A 2 | AT:A, A2, Autobahn A2
    AT@1 | S 6 | AT:S, S6, Schnellstraße S6
    AT@3 | B 320 | AT:B, B320, B 320
    CH@1 | A1 | CH:A, 1, Autobahn 1
    CH@3 | 12 | CH:H, 12, Hauptstrasse 12
    FR@1 | A 6;E 15 | FR:A, A 6, A 6 | e-road, E15, European route E15
    FR@2 | N 118 | FR:N, N 118, N 118
    FR@4 | D 906 | FR:D, D 906, D 906
    IT@1 | A1 | IT:A, A1, A1
    IT@2 | SS36 | IT:SS, SS36, SS36
    IT@4 | SP 14 | IT:SP, SP14, SP 14
    ES@1 | A-1 | ES:A, A-1, A-1
    ES@2 | N-340 | ES:N, N-340, N-340
    PT@1 | A 28 | PT:A, A28, A 28
    PT@2 | IC 1 | PT:IC, IC1, IC 1
    NL@1 | A2;E 35 | NL:A, A2, A2 | e-road, E35, European route E35
    NL@3 | N201 | NL:N, N201, N201
    BE@1 | A3 | BE:A, A3, A3
    BE@2 | N4 | BE:N, N4, N4
    LU@1 | A 6 | LU:A, A6, A 6
    LU@3 | N 7 | LU:N, N7, N 7
    GB@1 | M25 | GB:M, M25, M25
    GB@1 | A1(M) | GB:M, A1(M), A1(M)
    GB@2 | A40 | GB:A, A40, A40
    GB@3 | A4074 | GB:A@3, A4074, A4074
    GB@4 | B4009 | GB:B, B4009, B4009
    IE@1 | M50 | IE:M, M50, M50
    IE@2 | N1 | IE:N, N1, N1
    IE@3 | R132 | IE:R, R132, R132
    PL@1 | A4 | PL:A, A4, A4
    PL@1 | S8 | PL:S, S8, S8
    PL@2 | 7 | PL:DK, 7, Droga krajowa 7
    PL@3 | 902 | PL:DW, 902, Droga wojewódzka 902
    CZ@1 | D1 | CZ:D, D1, D1
    CZ@3 | 35 | CZ:I, 35, Silnice 35
    SE@1 | E 4 | SE:E, E4, E 4
    SE@3 | 222 | SE:county, 222, Länsväg 222
    NO@2 | E 6 | NO:E, E6, E 6
    NO@3 | Fv120 | NO:fylkesvei, 120, Fylkesvei 120
    DK@3 | 16 | DK:primary, 16, Rute 16
    FI@1 | 4 | FI:main, 4, Valtatie 4
    FI@2 | 45 | FI:trunk, 45, Kantatie 45
    HU@1 | M1 | HU:M, M1, M1
    HU@3 | 71 | HU:main, 71, 71
    US@1 | I-80 | US:I, 80, Interstate 80
    US-CA@2 | US 101 | US:US, 101, US Route 101
    US@4 | I 35 BUS | US:I:Business, 35, Interstate Business 35
    US-CA@3 | SR 1 | US:CA, 1, California State Route 1
    US-TX@3 | SH 130 | US:TX, 130, Texas State Route 130
    US-TX@4 | FM 1431 | US:TX:FM, 1431, Texas Farm to Market Road 1431
    US-FL@3 | SR A1A | US:FL, A1A, Florida State Route A1A
    US-GU@3 | SR 4 | US:*, 4, SR 4
    CA-ON@1 | 401 | CA:ON, 401, Ontario Highway 401
    CA-AB@2 | 2 | CA:AB, 2, Alberta Highway 2
    CA@2 | 7 | CA:provincial, 7, Highway 7
    CA-BC@1 | TCH 1 | CA:transcanada, 1, Trans-Canada Highway 1
    MX@1 | MEX 15D | MX:MEX, 15D, Mexican Federal Highway 15D
    AU@1 | M1 | AU:M, M1, M1
    NZ@1 | SH 1 | NZ:SH, 1, State Highway 1
    JP@2 | 国道1 | JP:national, 1, National Route 1
    JP@1 | E1 | JP:E, E1, E1
    JP@4 | 県道8 | JP:prefectural, 8, Prefectural Road 8
    KR@1 | 1 | KR:expressway, 1, Expressway 1
    KR@2 | 6 | KR:national, 6, National Route 6
    CN@1 | G2 | CN:expressway, G2, Expressway G2
    CN@1 | S20 | CN:S:expressway, S20, Provincial Expressway S20
    CN@3 | G318 | CN:G, G318, National Highway G318
    XY@3 | Q 7 | level-3, Q 7, Q 7
    """.split(separator: "\n").map { Sign($0) }

  private func pictures(_ sign: Sign, scheme: ShieldScheme = .map) throws -> [ShieldPicture] {
    let numbers = RoadNumber.list(
      RoadNumber.split(sign.ref), country: sign.country, state: sign.state,
      classLevel: sign.classLevel)
    return try numbers.map { number throws(ShieldFault) in
      try Shield.make(
        ShieldProperties(number, country: sign.country, state: sign.state),
        box: ShieldBox(widthPx: 200, heightPx: 40), scheme: scheme)
    }
  }

  @Test("each number gets the sign of its network, RN-4, P10", arguments: signs)
  func network(of sign: Sign) throws {
    let found = try pictures(sign).map { picture in
      let texts = picture.drawing.elements.compactMap { element in
        if case .text(let item) = element { item.text } else { nil }
      }
      return "\(picture.style), \(texts.last ?? ""), \(picture.description)"
    }
    #expect(found == sign.expected)
  }

  @Test("texts lie inside their sign, on maps and panels, RN-4, P10", arguments: signs)
  func texts(of sign: Sign) throws {
    for scheme in ShieldScheme.allCases {
      for picture in try pictures(sign, scheme: scheme) {
        let drawing = picture.drawing
        let boxes = drawing.elements.compactMap { element in
          if case .text(let item) = element { item } else { nil }
        }
        for box in boxes {
          #expect(box.x - box.width / 2 >= 8 && box.x + box.width / 2 <= drawing.width - 8)
          #expect(box.baselineY <= drawing.height - 8 && box.baselineY - 0.72 * box.size >= 4)
        }
        // Number and words do not touch.
        for (upper, lower) in zip(boxes, boxes.dropFirst()) {
          #expect(upper.baselineY < lower.baselineY - 0.72 * lower.size, "\(lower.text)")
        }
      }
    }
  }

  /// Outlines and colours of a sign without its texts.
  private func look(_ network: String, scheme: ShieldScheme) throws -> [ShieldDrawing.Element] {
    let words = network.split(separator: ":")
    let picture = try Shield.make(
      ShieldProperties(number: "7", country: String(words[0]), network: network),
      box: ShieldBox(widthPx: 200, heightPx: 40), scheme: scheme)
    return picture.drawing.elements.filter { element in
      if case .text(let item) = element { item.text != "7" } else { true }
    }
  }

  @Test("every state of the United States has a sign of its own, RN-4, P10")
  func stateSigns() throws {
    let states = """
      AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN \
      TX UT VT VA WA WV WI WY DC PR
      """.split(separator: " ").map(String.init)
    #expect(states.filter { ShieldTable.styles["US:\($0)"] == nil } == [])
    // Circles and plain squares are what these states have.
    let alike = Set("DE IA KY MS NJ CT MA ME NH WV PR TN WI".split(separator: " ").map(String.init))
    var seen: [[ShieldDrawing.Element]: String] = [:]
    for state in states where !alike.contains(state) {
      let look = try look("US:\(state)", scheme: .panel)
      #expect(seen[look] == nil, "\(state) looks like \(seen[look] ?? "")")
      seen[look] = state
    }
  }

  @Test("the bands of China's expressways are red and yellow, RN-4")
  func bands() throws {
    for (network, band) in [("CN:expressway", SignColour.red), ("CN:S:expressway", .yellow)] {
      let colours = try look(network, scheme: .map).compactMap { element in
        if case .fill(_, let colour) = element { colour } else { nil }
      }
      #expect(colours == [SignColour.green, band].map { $0.hex(night: false) })
    }
  }
}
