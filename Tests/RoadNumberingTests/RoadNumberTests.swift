import Testing

@testable import RoadNumbering

/// Levels, networks and sign texts of road numbers.
@Suite struct RoadNumberTests {
  /// Country, number, level of the class, then expected level, network and text of the sign.
  struct Case: CustomTestStringConvertible, Sendable {
    var country: String
    var number: String
    var classLevel: Int
    var level: Int
    var network: String
    var shield: String

    init(_ row: String) {
      let fields = row.split(separator: ",").map { $0.trimmingPrefix(" ") }.map(String.init)
      (country, number) = (fields[0], fields[1])
      (classLevel, level) = (Int(fields[2]) ?? 0, Int(fields[3]) ?? 0)
      (network, shield) = (fields[4], fields[5])
    }

    var testDescription: String { "\(country) \(number)" }
  }

  static let cases = """
    DE, A 5, 1, 1, DE:A, 5
    DE, B 3, 3, 2, DE:B, 3
    DE, B 3a, 2, 2, DE:B, 3a
    DE, L 600a, 3, 4, DE:L, L 600a
    DE, St 2077, 4, 4, DE:St, St 2077
    DE, K 9710, 3, 5, DE:K, K 9710
    DE, A 12, 5, 5, DE:K, A 12
    DE, E 35, 1, 1, e-road, E35
    DE, E 35, 3, 3, e-road, E35
    AT, A 1, 1, 1, AT:A, A1
    AT, B 158, 3, 2, AT:B, B158
    AT, L 231, 4, 4, AT:L, L231
    CH, A 2, 1, 1, CH:A, 2
    CH, 12, 3, 2, CH:H, 12
    FR, A 6, 1, 1, FR:A, A 6
    FR, N 7, 2, 2, FR:N, N 7
    FR, D 906, 3, 4, FR:D, D 906
    FR, M 6007, 3, 4, FR:M, M 6007
    GB, M25, 1, 1, GB:M, M25
    GB, A1(M), 1, 1, GB:M, A1(M)
    GB, A 40, 2, 2, GB:A, A40
    GB, A4074, 3, 3, GB:A, A4074
    GB, B4009, 4, 4, GB:B, B4009
    IT, A1, 1, 1, IT:A, A1
    IT, SS 9, 3, 2, IT:SS, SS9
    IT, SR 222, 3, 3, IT:SR, SR222
    IT, SP 14, 4, 4, IT:SP, SP14
    ES, AP-7, 1, 1, ES:A, AP-7
    ES, N-340, 3, 2, ES:N, N-340
    ES, A-6077, 4, 4, ES:regional, A-6077
    PT, A 28, 1, 1, PT:A, A28
    PT, IC 1, 2, 2, PT:IC, IC1
    PT, N 14, 3, 3, PT:N, N 14
    NL, A2, 1, 1, NL:A, A2
    NL, N50, 2, 2, NL:N, N50
    NL, N201, 2, 3, NL:N, N201
    BE, A10, 1, 1, BE:A, A10
    BE, N4, 2, 2, BE:N, N4
    BE, N275, 3, 3, BE:N, N275
    PL, S8, 2, 1, PL:S, S8
    PL, 7, 2, 2, PL:DK, 7
    PL, 902, 3, 3, PL:DW, 902
    CZ, D1, 1, 1, CZ:D, D1
    CZ, 35, 3, 2, CZ:I, 35
    CZ, 610, 3, 3, CZ:II, 610
    CZ, 00312, 5, 4, CZ:III, 00312
    SE, E 4, 1, 1, SE:E, E4
    SE, 73, 2, 2, SE:national, 73
    SE, 222, 3, 3, SE:county, 222
    NO, E 6, 2, 1, NO:E, E6
    NO, Fv 120, 3, 3, NO:fylkesvei, 120
    DK, M 3, 1, 1, DK:M, 3
    DK, 16, 3, 2, DK:primary, 16
    FI, 4, 1, 1, FI:main, 4
    FI, 45, 2, 2, FI:trunk, 45
    FI, 170, 3, 3, FI:regional, 170
    HU, M7, 1, 1, HU:M, M7
    HU, 71, 3, 2, HU:main, 71
    IE, M50, 1, 1, IE:M, M50
    IE, R132, 3, 3, IE:R, R132
    LU, CR 119, 4, 4, LU:CR, CR119
    US, I 80, 1, 1, US:I, 80
    US, I 35 BUS, 2, 4, US:I:Business, 35
    US, US 101, 1, 2, US:US, 101
    US, CA 1, 3, 3, US:CA, 1
    US, FM 1431, 4, 4, US:TX:FM, 1431
    US, CR 12, 4, 5, US:county, 12
    US, CO RD 12, 4, 5, US:county, 12
    US, FL A1A, 3, 3, US:FL, A1A
    US, M 28, 3, 3, US:MI, 28
    CA, 401, 1, 2, CA:provincial, 401
    AU, M1, 1, 1, AU:M, M1
    AU, B100, 3, 3, AU:B, B100
    NZ, SH 1, 1, 1, NZ:SH, 1
    NZ, 73, 2, 2, NZ:SH, 73
    MX, MEX 15D, 1, 1, MX:MEX, 15D
    MX, MEX 15, 2, 2, MX:MEX, 15
    JP, E1, 1, 1, JP:E, E1
    JP, 246, 2, 2, JP:national, 246
    KR, 1, 1, 1, KR:expressway, 1
    KR, 6, 2, 2, KR:national, 6
    JP, 8, 3, 3, JP:prefectural, 8
    NO, 120, 4, 4, NO:fylkesvei, 120
    CN, G2, 1, 1, CN:expressway, G2
    CN, G1501, 1, 1, CN:expressway, G1501
    CN, G318, 3, 2, CN:G, G318
    CN, S20, 1, 2, CN:S:expressway, S20
    CN, S211, 3, 3, CN:S, S211
    CN, X012, 5, 5, CN:X, X012
    ZA, N1, 1, 1, ZA:N, N1
    """.split(separator: "\n").map { Case(String($0)) }

  @Test("the level follows the network, not the road's class, RN-4, RT-10", arguments: cases)
  func level(_ row: Case) throws {
    let number = RoadNumber(row.number, country: row.country, classLevel: row.classLevel)
    #expect(number.level == row.level)
    #expect(number.network == row.network)
    #expect(number.shieldText == row.shield)
  }

  @Test("every row of the table of numbers can be read, RN-4")
  func table() {
    #expect(RoadNumberTable.unreadable.isEmpty, "\(RoadNumberTable.unreadable)")
    #expect(RoadNumberTable.rules.count > 55)
  }

  @Test("dependencies number their roads as their country does, RN-4")
  func dependencies() {
    #expect(RoadNumber("D 2", country: "RE", classLevel: 3).network == "FR:D")
    #expect(RoadNumberNetwork.id(country: "DE", level: 2) == "DE:B")
    #expect(RoadNumberNetwork.id(country: "US", level: 3, state: "US-CA") == "US:CA")
    #expect(RoadNumberNetwork.id(country: "XA", level: 1) == nil)
  }

  @Test("without a country or a known network the class decides, RN-4, RT-10")
  func classDecides() {
    #expect(RoadNumber("B 3", country: nil, classLevel: 3).level == 3)
    #expect(RoadNumber("B 3", country: nil, classLevel: 3).network == nil)
    #expect(RoadNumber("B 3", country: "XA", classLevel: 5).level == 5)
    #expect(RoadNumber("QQ 3", country: "FR", classLevel: 6).level == 6)
    #expect(RoadNumber("QQ 3", country: "FR", classLevel: 6).shieldText == "QQ 3")
  }

  /// `network` of the relation, number, country, then level and network.
  @Test(
    "a route relation's network counts where it is a known one, RT-10",
    arguments: [
      ("US:I", "80", "US", 1, "US:I"), ("US:US", "1", "US", 2, "US:US"),
      ("US:NY", "NY 9", "US", 3, "US:NY"), ("US:NY:Truck", "9", "US", 3, "US:NY"),
      ("US:I:Business", "I 80 BUS", "US", 4, "US:I:Business"),
      ("US:MN:CSAH", "5", "US", 5, "US:MN:CSAH"), ("US:TX:FM", "FM 3", "US", 4, "US:TX:FM"),
      ("CA:transcanada", "1", "CA", 1, "CA:transcanada"), ("CA:QC:A", "20", "CA", 1, "CA:QC:A"),
      ("CA:ON:primary", "401", "CA", 2, "CA:ON:primary"),
      ("CA:AB:primary", "2", "CA", 2, "CA:AB:primary"), ("BAB", "A 5", "DE", 1, "DE:A"),
      ("e-road", "E 35", "DE", 6, "e-road"), ("AT:B-road", "158", "AT", 2, "AT:B"),
      ("JP:prefectural:tokyo", "8", "JP", 3, "JP:prefectural"),
      ("BO:national", "4", "BO", 2, "BO:national"),
    ])
  func relation(_ network: String, _ text: String, _ country: String, _ level: Int, _ id: String) {
    let number = RoadNumber(
      text, country: country, classLevel: 6, route: RouteRelationNumber(network: network))
    #expect(number.level == level)
    #expect(number.network == id)
  }

  @Test("the state completes a number that says only that it is a state's, RT-10")
  func state() {
    let number = RoadNumber("SR 520", country: "US", state: "US-WA", classLevel: 2)
    #expect(number.network == "US:WA")
    #expect(number.shieldText == "520")
    #expect(RoadNumber("SR 520", country: "US", classLevel: 2).network == "US:state")
  }

  @Test("each of several numbers has its own level and direction, RN-4, RT-10")
  func several() {
    let texts = RoadNumber.split("A 5; B 3 ;")
    #expect(texts == ["A 5", "B 3"])
    let list = RoadNumber.list(
      texts, country: "DE", classLevel: 1, routes: [RouteRelationNumber(direction: "north")])
    #expect(list.map(\.level) == [1, 2])
    #expect(list.map(\.direction) == ["north", nil])
  }

  @Test("what relations report of the numbers survives storage as text, RT-10")
  func storage() {
    let routes = [
      RouteRelationNumber(network: "US:I", direction: "north"), RouteRelationNumber(),
      RouteRelationNumber(network: "CA"),
      RouteRelationNumber(direction: "west"),
    ]
    #expect(RouteRelationNumber.encode(routes) == "US:I|north;;CA|;west")
    #expect(RouteRelationNumber.decode(RouteRelationNumber.encode(routes)) == routes)
    #expect(RouteRelationNumber.encode([RouteRelationNumber(), RouteRelationNumber()]).isEmpty)
    #expect(RouteRelationNumber.decode("") == [])
    #expect(RouteRelationNumber.decode("|;||;").count == 3)
    let unclean = RouteRelationNumber(network: "a;b", direction: "east")
    #expect(RouteRelationNumber.encode([unclean]) == "east")
  }

  @Test("a relation's ref is compared as a whole number, RT-10")
  func sameNumber() {
    #expect(RoadNumber.isSame("I 80", routeRef: "80"))
    #expect(RoadNumber.isSame("A 5", routeRef: "A5"))
    #expect(RoadNumber.isSame("FL A1A", routeRef: "A1A"))
    #expect(!RoadNumber.isSame("I 180", routeRef: "80"))
    #expect(!RoadNumber.isSame("A 5", routeRef: "E 35"))
    #expect(!RoadNumber.isSame("A 5", routeRef: ""))
  }
}
