import Foundations
import Geodesy
import RealModule

/// The part of a fix that one sentence contains.
struct NMEAPart: Hashable, Sendable {
  var timeOfDayS: Double?
  /// Seconds since 1970 at the beginning of the day in the sentence.
  var dateS: Double?
  var place: Coordinate?
  /// False if the receiver reports that it has no position.
  var isValid: Bool?
  var altitudeM: Double?
  var speedMps: Double?
  var courseDeg: Double?
  var hdop: Double?
  /// Radius of 68 %, as computed by the receiver.
  var accuracyM: Double?
  /// Metres of error along each axis for an HDOP of 1.
  var rangeErrorM: Double?

  private static let knotMps = 0.514_444

  /// Reads the sentences that contain parts of fixes; nil for others.
  init?(_ s: NMEASentence) {
    switch s.kind {
    case "GGA": readGGA(s)
    case "RMC": readRMC(s)
    case "GNS": readGNS(s)
    case "GLL": readGLL(s)
    case "VTG":
      courseDeg = s.number(0)
      speedMps = s.number(4).map { $0 * Self.knotMps } ?? s.number(6).map { $0 / 3.6 }
      if s.text(8) == "N" { (courseDeg, speedMps) = (nil, nil) }
    case "GSA":
      // There is one such sentence for each constellation; one without a fix does not affect the
      // others.
      hdop = s.number(15).flatMap { $0 < 50 ? $0 : nil }
    case "GST":
      timeOfDayS = s.timeOfDayS(0)
      if let north = s.number(5), let east = s.number(6), north > 0 || east > 0 {
        // 68 % of a two-dimensional normal error lie within 1.51 sigma.
        accuracyM = 1.51 * ((north * north + east * east) / 2).squareRoot()
      }
    case "ZDA":
      timeOfDayS = s.timeOfDayS(0)
      if let day = s.integer(1), let month = s.integer(2), let year = s.integer(3) {
        dateS = Self.date(year: year, month: month, day: day)
      }
    default: return nil
    }
  }

  private mutating func readGGA(_ s: NMEASentence) {
    timeOfDayS = s.timeOfDayS(0)
    place = Self.place(s, 1)
    let quality = s.integer(5) ?? 0
    isValid = quality > 0 && place != nil
    hdop = s.number(7).flatMap { $0 < 50 ? $0 : nil }
    // Altitude above the ellipsoid: altitude above the sea plus height of the sea above the
    // ellipsoid.
    altitudeM = s.number(8).map { $0 + (s.number(10) ?? 0) }
    rangeErrorM =
      switch quality {
      case 2, 9: 2
      case 4: 0.02
      case 5: 0.5
      case 6: 10
      default: 4
      }
  }

  private mutating func readRMC(_ s: NMEASentence) {
    timeOfDayS = s.timeOfDayS(0)
    place = Self.place(s, 2)
    isValid = s.text(1) == "A" && s.text(11) != "N" && place != nil
    speedMps = s.number(6).map { $0 * Self.knotMps }
    courseDeg = s.number(7)
    if let text = s.text(8), text.utf8.count == 6, let number = Int(text), number >= 0 {
      let year = number % 100
      // Receivers report 1980 before their first lock, and no time here is older.
      dateS = Self.date(
        year: year >= 80 ? 1900 + year : 2000 + year, month: number / 100 % 100,
        day: number / 10_000)
    }
  }

  private mutating func readGNS(_ s: NMEASentence) {
    timeOfDayS = s.timeOfDayS(0)
    place = Self.place(s, 1)
    isValid = place != nil && !(s.text(5) ?? "N").allSatisfy { $0 == "N" }
    hdop = s.number(7).flatMap { $0 < 50 ? $0 : nil }
    altitudeM = s.number(8).map { $0 + (s.number(9) ?? 0) }
  }

  private mutating func readGLL(_ s: NMEASentence) {
    timeOfDayS = s.timeOfDayS(4)
    place = Self.place(s, 0)
    isValid = s.text(5) == "A" && s.text(6) != "N" && place != nil
  }

  private static func place(_ s: NMEASentence, _ index: Int) -> Coordinate? {
    guard let latitude = s.degrees(index, limit: 90),
      let longitude = s.degrees(index + 2, limit: 180)
    else { return nil }
    return Coordinate(latitudeDeg: latitude, longitudeDeg: longitude)
  }

  private static func date(year: Int, month: Int, day: Int) -> Double? {
    guard (1980...2200).contains(year), (1...12).contains(month),
      (1...CivilDate.daysInMonth(year: year, month: month)).contains(day)
    else { return nil }
    return Double(CivilDate(year: year, month: month, dayOfMonth: day).day) * 86_400
  }
}

/// The combined content of the sentences with one time of day.
struct NMEAEpoch: Hashable, Sendable {
  private(set) var timeOfDayS: Double?
  private(set) var dateS: Double?
  private var place: Coordinate?
  private var isOfSeveral = false
  private var isInvalid = false
  private var isValid = false
  private var altitudeM: Double?
  private var speedMps: Double?
  private var courseDeg: Double?
  private var hdop: Double?
  private var accuracyM: Double?
  private var rangeErrorM: Double?

  mutating func add(_ part: NMEAPart, talker: String) {
    timeOfDayS = timeOfDayS ?? part.timeOfDayS
    dateS = part.dateS ?? dateS
    if let isValid = part.isValid {
      if isValid { self.isValid = true } else { isInvalid = true }
    }
    // A combined solution of several constellations is better than that of one.
    let isOfSeveral = talker == "GN"
    if part.isValid == true, let place = part.place, isOfSeveral || !self.isOfSeveral {
      // The sentence with the altitude usually has more digits, too.
      if self.place == nil || part.altitudeM != nil || isOfSeveral && !self.isOfSeveral {
        self.place = place
      }
      self.isOfSeveral = isOfSeveral
      altitudeM = part.altitudeM ?? altitudeM
      rangeErrorM = part.rangeErrorM ?? rangeErrorM
    }
    speedMps = part.speedMps ?? speedMps
    courseDeg = part.courseDeg ?? courseDeg
    hdop = part.hdop.map { Double.minimum($0, hdop ?? $0) } ?? hdop
    accuracyM = part.accuracyM ?? accuracyM
  }

  /// The fix; nil if there is no position.
  var fix: Fix? {
    guard isValid, !isInvalid, let place else { return nil }
    return Fix(
      place: place, bearingDeg: courseDeg.flatMap { (0...360).contains($0) ? $0 : nil },
      speedMps: speedMps.flatMap { $0 >= 0 ? $0 : nil },
      accuracyM: accuracyM ?? hdop.map { 1.51 * $0 * (rangeErrorM ?? 4) }, altitudeM: altitudeM)
  }
}
