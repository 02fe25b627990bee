import Foundation
import Foundations
import Geodesy
public import Positioning

/// Decodes the output of a gpsd, its JSON protocol line by line, into fixes.
public struct GPSDSession: Sendable {
  /// Counters of the reports received.
  public struct Counts: Hashable, Sendable {
    public var reports = 0
    public var fixes = 0
    /// Reports of a receiver without a position.
    public var withoutPosition = 0
    public var notUnderstood = 0
  }

  /// Returns the request that makes a gpsd report fixes; `device` is one of its receivers, nil for
  /// all.
  public static func watch(device: String?) -> [UInt8] {
    let device = device.map { ",\"device\":\"\($0)\"" } ?? ""
    return Array("?WATCH={\"enable\":true,\"json\":true\(device)};\n".utf8)
  }

  /// A request that every gpsd answers, with a receiver and without.
  public static let question = Array("?VERSION;\n".utf8)

  /// A time in ISO 8601, or in seconds since 1970 as sent by gpsd before version 3.0.
  private struct Time: Decodable {
    var instant: Instant?

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let seconds = try? value.decode(Double.self) {
        instant = seconds > 0 && seconds < 9.2e9 ? Instant(seconds: seconds) : nil
      } else {
        let text = try value.decode(String.self)
        instant = TimeText.iso8601(text) ?? Double(text).map { Instant(seconds: $0) }
      }
    }
  }

  /// A number, or a string that contains one; any other value is absent.
  private struct Number: Decodable {
    var value: Double?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let number =
        (try? container.decode(Double.self))
        ?? (try? container.decode(String.self)).flatMap { Double($0) }
      value = number.flatMap { $0.isFinite ? $0 : nil }
    }
  }

  private struct Report: Decodable {
    var `class`: String
    var mode: Int?
    var time: Time?
    var lat: Number?
    var lon: Number?
    var altHAE: Number?
    var track: Number?
    var speed: Number?
    var eph: Number?
    var epx: Number?
    var epy: Number?
    var eps: Number?
    var epd: Number?
  }

  /// Longer lines do not come from a gpsd.
  private static let longest = 64 * 1024

  private var line: [UInt8] = []
  private let decoder = JSONDecoder()
  public private(set) var counts = Counts()

  public init() {}

  /// The problem with all input so far, as a sentence; nil once fixes arrive.
  public var complaint: String? {
    guard counts.fixes == 0, counts.notUnderstood >= 10, counts.notUnderstood > counts.reports
    else {
      return nil
    }
    return
      "received \(counts.notUnderstood) lines, none of which is a readable gpsd report"
  }

  /// Processes bytes and returns the fixes that they complete.
  public mutating func process(_ bytes: some Sequence<UInt8>) -> [Fix] {
    var fixes: [Fix] = []
    for byte in bytes {
      if byte != 0x0a {
        if line.count <= Self.longest { line.append(byte) }
        continue
      }
      if let fix = fix(of: line) { fixes.append(fix) }
      line.removeAll(keepingCapacity: true)
    }
    return fixes
  }

  private mutating func fix(of line: [UInt8]) -> Fix? {
    guard line.contains(where: { $0 > 0x20 }) else { return nil }
    guard line.count <= Self.longest,
      let report = try? decoder.decode(Report.self, from: Data(line))
    else {
      counts.notUnderstood += 1
      return nil
    }
    counts.reports += 1
    guard report.class == "TPV" else { return nil }
    guard report.mode ?? 0 >= 2, let lat = report.lat?.value, let lon = report.lon?.value else {
      counts.withoutPosition += 1
      return nil
    }
    counts.fixes += 1
    // A gpsd reports 95 % bounds: 2.45 sigmas in the plane, 1.96 along an axis.
    let axes = [report.epx?.value, report.epy?.value].compactMap { $0 }
    let plane = report.eph?.value ?? (axes.count == 2 ? axes.max().map { $0 * 1.25 } : nil)
    return Fix(
      place: Coordinate(latitudeDeg: lat, longitudeDeg: lon), time: report.time?.instant,
      bearingDeg: report.track?.value, speedMps: report.speed?.value,
      accuracyM: plane.map { $0 * 1.51 / 2.45 },
      bearingAccuracyDeg: report.epd?.value.map { min(360, $0 / 1.96) },
      speedAccuracyMps: report.eps?.value.map { $0 / 1.96 }, altitudeM: report.altHAE?.value)
  }
}
