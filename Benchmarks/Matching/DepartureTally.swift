import Foundation
import Geodesy
import Messages
import Route

/// What drives along routes, and away from them, have led to.
struct DepartureTally {
  /// Metres from the route from which a true departure must be told of.
  private static let clearM = 30.0
  /// Fixes farther than that by which it must be told.
  private static let fixesGiven = 3

  var truthM = 0.0
  var importErrorM = 0.0
  private var fixes = 0
  private var matched = 0
  private var drivenM = 0.0
  private var falseDeviations = 0
  /// Drives that leave their route later come by the same places with the same error.
  private var falsePlaces: Set<[Int]> = []
  private var falseCount = 0
  private var departures = 0
  private var late = 0
  /// Departures that never led far enough from the route, and those whose road is the last stretch
  /// of the route, so that the vehicle arrives.
  private var uncounted = 0
  /// Fixes 30 m or more away by which each was told; 0 where it was told nearer.
  private var reported: [Int: Int] = [:]
  /// The same by the distance that the error cannot explain.
  private var toldVisible: [Int: Int] = [:]
  /// Where departures were told that were none.
  private(set) var reports: [String] = []
  /// Fixes since the driver had left the route.
  private var sinceLeft: [Int] = []

  /// Reports tell of the fixes that led to them.
  var explains = false
  private var log = DriveLog()

  var isRight: Bool { falseDeviations == 0 && late == 0 }

  /// Takes the counts of another; its reports stay with it.
  mutating func add(_ other: DepartureTally) {
    truthM += other.truthM
    importErrorM += other.importErrorM
    fixes += other.fixes
    matched += other.matched
    drivenM += other.drivenM
    falseDeviations += other.falseDeviations
    falseCount += other.falseCount
    departures += other.departures
    late += other.late
    uncounted += other.uncounted
    reported.merge(other.reported) { $0 + $1 }
    toldVisible.merge(other.toldVisible) { $0 + $1 }
    sinceLeft += other.sinceLeft
  }

  /// A drive that stays on its route.
  mutating func stay(_ drive: inout RouteDrive, _ stack: GuidedDrive) throws {
    var vehicle = try stack.follow(drive.route, at: RouteDrive.start)
    log = DriveLog()
    drivenM += drive.route.lengthM
    while let step = drive.next() {
      let answer = try vehicle.ingest(step.fix, at: step.time)
      fixes += 1
      matched += answer.isMatched ? 1 : 0
      if explains { explain(answer, step, drive) }
      record(answer, step, drive)
    }
  }

  private mutating func explain(
    _ answer: GuidedDrive.Answer, _ step: RouteDrive.Step, _ drive: RouteDrive
  ) {
    log.record(step, answer, awayM: drive.awayM(step.truth), on: drive.segments)
  }

  private mutating func report(_ line: String) {
    reports.append(line)
    reports += log.lines
  }

  private mutating func record(
    _ answer: GuidedDrive.Answer, _ step: RouteDrive.Step, _ drive: RouteDrive
  ) {
    guard let reported = answer.deviation else { return }
    falseDeviations += 1
    guard reported.first,
      falsePlaces.insert([Int(drive.seed), Int(step.drivenM)]).inserted
    else { return }
    falseCount += 1
    let segment = reported.location.segment
    report(
      String(
        format:
          "false at %.0f m (%.6f %.6f, seed %d): %@, p %.2f, %.0f m away, on %d %d-%d, last at %.0f m",
        step.drivenM, step.truth.latitudeDeg, step.truth.longitudeDeg, Int(drive.seed),
        reported.evidence.rule.rawValue, reported.evidence.probability ?? -1,
        reported.distanceM ?? -1,
        segment?.way ?? 0, segment?.from ?? 0, segment?.to ?? 0, reported.travelledOnSectionM ?? -1)
    )
  }

  /// A drive that leaves its route.
  mutating func leave(_ drive: inout RouteDrive, _ stack: GuidedDrive) throws {
    var vehicle = try stack.follow(drive.route, at: RouteDrive.start)
    log = DriveLog()
    var (left, clear, visible) = (0, 0, 0)
    while let step = drive.next() {
      let answer = try vehicle.ingest(step.fix, at: step.time)
      if explains { explain(answer, step, drive) }
      guard step.hasStrayed else {
        record(answer, step, drive)
        continue
      }
      left += 1
      guard !answer.hasArrived else {
        uncounted += 1
        return
      }
      let awayM = drive.awayM(step.truth)
      // What is not where it was taken shows nobody the way.
      if step.isDisplaced, answer.deviation == nil { continue }
      clear = awayM >= Self.clearM ? clear + 1 : 0
      visible = awayM >= drive.visibleM ? visible + 1 : 0
      if answer.deviation != nil {
        departures += 1
        reported[clear, default: 0] += 1
        toldVisible[visible, default: 0] += 1
        sinceLeft.append(left)
        if clear > Self.fixesGiven {
          late += 1
          report(
            String(
              format: "late by %d: at %.0f m (%.6f %.6f, seed %d)", clear - Self.fixesGiven,
              step.drivenM, step.truth.latitudeDeg, step.truth.longitudeDeg, Int(drive.seed)))
        }
        return
      }
      if clear > Self.fixesGiven + 20 {
        departures += 1
        late += 1
        report(
          String(
            format: "not told: %.0f m (%.6f %.6f, seed %d), %.0f m away, on %d %d-%d, p %.2f",
            step.drivenM,
            step.truth.latitudeDeg, step.truth.longitudeDeg, Int(drive.seed), awayM,
            answer.matched?.segment?.way ?? 0, answer.matched?.segment?.from ?? 0,
            answer.matched?.segment?.to ?? 0, answer.matched?.probability ?? -1))
        return
      }
    }
    if left > 0 { uncounted += 1 }
  }

  var row: String {
    let sorted = sinceLeft.sorted()
    func at(_ share: Double) -> Int {
      sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
    func list(_ counts: [Int: Int]) -> String {
      counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
    return String(
      format: "%d fixes, %.0f km, %.2f %% matched, %d false deviations at %d places; ", fixes,
      drivenM / 1000, 100 * Double(matched) / Double(max(1, fixes)), falseDeviations, falseCount)
      + "\(departures) departures, \(late) late, told by fix from 30 m [\(list(reported))], "
      + "by fix that the error cannot explain [\(list(toldVisible))], "
      + "since leaving p50 \(at(0.5)) p95 \(at(0.95)), \(uncounted) not clear; "
      + String(format: "import differs by %.2f %%", 100 * importErrorM / max(1, truthM))
  }
}
