import Foundations
import Geodesy
import Testing

@testable import Boundaries

/// Known places against the built-in table of countries and states.
@Suite struct BoundaryTests {
  struct Place: CustomTestStringConvertible, Sendable {
    var name: String
    var code: String
    var coordinate: Coordinate

    init(_ row: String) {
      let words = row.split(separator: " ").map(String.init)
      (name, code) = (words[0], words[1])
      coordinate = Coordinate(
        latitudeDeg: Double(words[2]) ?? .nan, longitudeDeg: Double(words[3]) ?? .nan)
    }

    var testDescription: String { name }
  }

  private static func places(_ rows: String) -> [Place] {
    rows.split(separator: "\n").map { Place(String($0)) }
  }

  static let cities = places(
    """
    Basel CH 47.5581 7.5878
    Riehen CH 47.5833 7.6500
    Weil DE 47.5947 7.6110
    Lörrach DE 47.6150 7.6610
    Saint-Louis FR 47.5880 7.5590
    Strasbourg FR 48.5734 7.7521
    Kehl DE 48.5730 7.8150
    Heidelberg DE 49.4094 8.6947
    Konstanz DE 47.6603 9.1758
    Kreuzlingen CH 47.6450 9.1750
    Büsingen DE 47.6970 8.6890
    Vaduz LI 47.1410 9.5209
    Porto PT 41.1496 -8.6110
    Tui ES 42.0470 -8.6440
    Valença PT 42.0280 -8.6440
    Copenhagen DK 55.6761 12.5683
    Malmö SE 55.6050 13.0038
    Haparanda SE 65.8350 24.1370
    Tornio FI 65.8480 24.1460
    Geneva CH 46.2044 6.1432
    Annemasse FR 46.1930 6.2350
    Salzburg AT 47.8095 13.0550
    Freilassing DE 47.8400 12.9810
    Aachen DE 50.7753 6.0839
    Vaals NL 50.7700 6.0170
    Maastricht NL 50.8514 5.6910
    Luxembourg LU 49.6116 6.1319
    Lille FR 50.6292 3.0573
    Mouscron BE 50.7440 3.2060
    Monaco MC 43.7384 7.4246
    Menton FR 43.7760 7.5040
    Ventimiglia IT 43.7900 7.6080
    SanMarino SM 43.9360 12.4470
    Gorizia IT 45.9410 13.6220
    NovaGorica SI 45.9560 13.6480
    Bratislava SK 48.1486 17.1077
    Hainburg AT 48.1460 16.9450
    Vienna AT 48.2082 16.3738
    Görlitz DE 51.1560 14.9880
    Zgorzelec PL 51.1500 15.0080
    London GB 51.5074 -0.1278
    Dublin IE 53.3498 -6.2603
    Belfast GB 54.5973 -5.9301
    Newry GB 54.1751 -6.3402
    Dundalk IE 54.0030 -6.4050
    Gibraltar GI 36.1408 -5.3536
    LaLinea ES 36.1680 -5.3480
    Ceuta ES 35.8894 -5.3213
    Valletta MT 35.8989 14.5146
    Milan IT 45.4642 9.1900
    Istanbul TR 41.0082 28.9784
    Kaliningrad RU 54.7104 20.4522
    Narva EE 59.3772 28.1903
    Ivangorod RU 59.3730 28.2200
    Detroit US 42.3314 -83.0458
    Windsor CA 42.3149 -83.0364
    SanDiego US 32.7157 -117.1611
    SanYsidro US 32.5520 -117.0430
    Tijuana MX 32.5149 -117.0382
    ElPaso US 31.7619 -106.4850
    CiudadJuarez MX 31.6904 -106.4245
    NiagaraNY US 43.0962 -79.0377
    NiagaraON CA 43.0896 -79.0849
    Anchorage US 61.2181 -149.9003
    Honolulu US 21.3069 -157.8583
    SanJuan PR 18.4655 -66.1057
    Foz BR -25.5163 -54.5854
    CiudadDelEste PY -25.5097 -54.6111
    Singapore SG 1.3521 103.8198
    JohorBahru MY 1.4927 103.7414
    HongKong HK 22.3193 114.1694
    Shenzhen CN 22.5431 114.0579
    Macau MO 22.1987 113.5439
    Tokyo JP 35.6762 139.6503
    Seoul KR 37.5665 126.9780
    Busan KR 35.1796 129.0756
    Kaesong KP 37.9708 126.5544
    Sydney AU -33.8688 151.2093
    Perth AU -31.9505 115.8605
    Auckland NZ -36.8485 174.7633
    Suva FJ -18.1416 178.4419
    Taveuni FJ -16.8500 -179.9700
    TaveuniWest FJ -16.8000 179.9500
    Chukotka RU 66.3000 -179.0000
    Maseru LS -29.3142 27.4833
    CapeTown ZA -33.9249 18.4241
    Kinshasa CD -4.4419 15.2663
    Brazzaville CG -4.2634 15.2429
    Kyiv UA 50.4501 30.5234
    """)

  @Test("the built-in table knows the countries of cities near borders, RN-4", arguments: cities)
  func country(_ place: Place) {
    #expect(Boundaries.builtIn.country(at: place.coordinate) == place.code)
  }

  static let stateCities = places(
    """
    SanFrancisco US-CA 37.7749 -122.4194
    Stateline-NV US-NV 38.9600 -119.9380
    SouthLakeTahoe US-CA 38.9400 -119.9770
    NewYork US-NY 40.7128 -74.0060
    JerseyCity US-NJ 40.7178 -74.0431
    KansasCity-MO US-MO 39.0997 -94.5786
    KansasCity-KS US-KS 39.1141 -94.6275
    Portland US-OR 45.5152 -122.6784
    Vancouver-WA US-WA 45.6387 -122.6615
    Washington US-DC 38.9072 -77.0369
    Arlington US-VA 38.8816 -77.0910
    Detroit US-MI 42.3314 -83.0458
    ElPaso US-TX 31.7619 -106.4850
    KeyWest US-FL 24.5551 -81.7800
    Anchorage US-AK 61.2181 -149.9003
    Honolulu US-HI 21.3069 -157.8583
    Texarkana-TX US-TX 33.4251 -94.0800
    Texarkana-AR US-AR 33.4418 -94.0200
    """)

  @Test(
    "the built-in table knows the states of cities near their lines, RN-4", arguments: stateCities)
  func state(_ place: Place) {
    let state = Boundaries.builtIn.state(at: place.coordinate)
    #expect(state?.code == place.code)
    #expect(state?.name.isEmpty == false)
  }

  @Test(
    "nothing lies in mid ocean, in Antarctica or off the globe, RN-4",
    arguments: [
      (47.0, -30.0), (0, 0), (0, -160), (-50, 100), (-80, 0), (90, 0), (-90, 180),
      (Double.nan, 0), (0, Double.infinity), (200, 0), (0, 1e9),
    ] as [(Double, Double)])
  func nowhere(_ latitudeDeg: Double, _ longitudeDeg: Double) {
    let place = Coordinate(latitudeDeg: latitudeDeg, longitudeDeg: longitudeDeg)
    #expect(Boundaries.builtIn.country(at: place) == nil)
    #expect(Boundaries.builtIn.state(at: place) == nil)
  }

  @Test("no state is named outside the United States, RN-4")
  func foreignStates() {
    let table = Boundaries.builtIn
    #expect(table.state(at: Coordinate(latitudeDeg: 42.3149, longitudeDeg: -83.0364)) == nil)
    #expect(table.state(at: Coordinate(latitudeDeg: 49.4, longitudeDeg: 8.7)) == nil)
    #expect(
      table.state(at: Coordinate(latitudeDeg: 37.77, longitudeDeg: -122.4))
        == Boundaries.State(code: "US-CA", name: "California"))
  }

  @Test("the whole table is there, RN-4")
  func whole() throws {
    // Reading again shows a fault that `builtIn` would hide.
    let table = try Boundaries(
      zones: BoundaryData.zones, zoneArcs: BoundaryData.zoneArcs,
      states: BoundaryData.states, stateArcs: BoundaryData.stateArcs)
    #expect(table.countryCount == Boundaries.builtIn.countryCount)
    #expect(table.countryCount > 240)
    #expect(table.stateCount == 56)
  }

  @Test("on land there are no gaps between neighbours, RN-4")
  func noGaps() {
    var random = SplitMix64(seed: 11)
    // The middle of Europe: any place there belongs to a country.
    for _ in 0..<20_000 {
      let place = Coordinate(
        latitudeDeg: Double.random(in: 45.9...51.5, using: &random),
        longitudeDeg: Double.random(in: 5.0...22.0, using: &random))
      #expect(Boundaries.builtIn.country(at: place) != nil, "\(place)")
    }
  }

  @Test("a damaged table is refused with the place, and never traps, RN-4")
  func damaged() throws {
    #expect(throws: BoundaryFault.character(byte: 2)) {
      try BoundaryLayer(base64: "AA?A", areaCount: 1)
    }
    #expect(throws: BoundaryFault.ended(byte: 0)) { try BoundaryLayer(base64: "", areaCount: 1) }
    var random = SplitMix64(seed: 5)
    let text = Array(BoundaryData.stateArcs.utf8)
    let place = Coordinate(latitudeDeg: 40, longitudeDeg: -100)
    for _ in 0..<40 {
      var bytes = Array(text.prefix(Int.random(in: 1...4000, using: &random)))
      for _ in 0..<5 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          text[Int.random(in: 0..<text.count, using: &random)]
      }
      do throws(BoundaryFault) {
        let layer = try BoundaryLayer(base64: String(decoding: bytes, as: UTF8.self), areaCount: 56)
        #expect(layer.area(at: place, toleranceM: 1000) <= 56)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test("the driving side follows the country, RN-4")
  func drivingSide() {
    #expect(["GB", "JP", "AU", "MT", "IN", "TL"].allSatisfy { DrivingSide.isLeft(country: $0) })
    #expect(!["DE", "US", "CN", "SE", "XX"].contains { DrivingSide.isLeft(country: $0) })
  }
}
