import EventTime
import Foundation
import Geodesy
public import Positioning

/// What a gpsd tells, line by line: its JSON protocol, read for fixes.
public struct GPSDSession: Sendable {
  /// What has been read.
  public struct Counts: Hashable, Sendable {
    public var reports = 0
    public var fixes = 0
    /// Reports of a receiver without a position.
    public var withoutPosition = 0
    public var notUnderstood = 0
  }

  /// The request that makes a gpsd tell of fixes; `device` is one of its receivers, nil for all.
  public static func watch(device: String?) -> [UInt8] {
    let device = device.map { ",\"device\":\"\($0)\"" } ?? ""
    return Array("?WATCH={\"enable\":true,\"json\":true\(device)};\n".utf8)
  }

  /// What any gpsd answers, with a receiver and without.
  public static let question = Array("?VERSION;\n".utf8)

  private struct Report: Decodable {
    var `class`: String
    var mode: Int?
    var time: String?
    var lat: Double?
    var lon: Double?
    var altHAE: Double?
    var track: Double?
    var speed: Double?
    var eph: Double?
    var epx: Double?
    var epy: Double?
    var eps: Double?
    var epd: Double?
  }

  /// Longer lines are none of a gpsd's.
  private static let longest = 64 * 1024

  private var line: [UInt8] = []
  private let decoder = JSONDecoder()
  public private(set) var counts = Counts()

  public init() {}

  /// Takes bytes, and gives the fixes that they end.
  public mutating func take(_ bytes: some Sequence<UInt8>) -> [Fix] {
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
    guard report.mode ?? 0 >= 2, let lat = report.lat, let lon = report.lon else {
      counts.withoutPosition += 1
      return nil
    }
    counts.fixes += 1
    // A gpsd tells what holds with 95 %: 2.45 sigmas in the plane, 1.96 on a line.
    let plane = report.eph ?? report.epx.flatMap { x in report.epy.map { y in max(x, y) * 1.25 } }
    return Fix(
      place: Coordinate(latitudeDeg: lat, longitudeDeg: lon),
      time: report.time.flatMap { TimeText.iso8601($0) }, bearingDeg: report.track,
      speedMps: report.speed, accuracyM: plane.map { $0 * 1.51 / 2.45 },
      bearingAccuracyDeg: report.epd.map { min(360, $0 / 1.96) },
      speedAccuracyMps: report.eps.map { $0 / 1.96 }, altitudeM: report.altHAE)
  }
}
