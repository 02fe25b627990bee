import EventTime
import Geodesy
import Positioning

/// One fix of the trellis; what may be at it, and how likely that is, lies in the columns of its `StepWindow`.
struct TrellisStep: Sendable {
  var fix: Fix
  var time: Instant
  var sigmaM = 0.0
  /// What leaps from the step before cost; none at a start.
  var leaps = Leaps.none
  /// The ways here are those of `NearSource`, else those of `NetworkSearch`.
  var isNear = false
  /// Ways were searched for as far as they may count.
  var isWide = false
  /// It is as long after the fix before as that was after its own, and that is long.
  var isPaced = false
  /// Where its rows of the columns are.
  var rows = Rows()

  /// Rows of the columns of a window.
  struct Rows: BitwiseCopyable {
    var firstCandidate = 0
    var candidateCount = 0
    /// One for each candidate, and behind them being on no road.
    var firstState = 0
    /// The ways from the states of the step before.
    var firstDrive = 0
    var driveCount = 0

    var candidates: Range<Int> { firstCandidate..<firstCandidate + candidateCount }
    var states: Range<Int> { firstState..<firstState + candidateCount + 1 }
    var drives: Range<Int> { firstDrive..<firstDrive + driveCount }
  }

  /// What the fix tells of the motion, without all that a fix may carry.
  struct Seen: BitwiseCopyable {
    var place: Coordinate
    var time: Instant
    var speedMps: Double?
    var sigmaM: Double
  }

  var seen: Seen { Seen(place: fix.place, time: time, speedMps: fix.speedMps, sigmaM: sigmaM) }

  var candidateCount: Int { rows.candidateCount }
  /// The number of the state of being on no road.
  var offRoadState: Int { rows.candidateCount }
}
