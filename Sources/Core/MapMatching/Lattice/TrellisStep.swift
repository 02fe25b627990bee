import Foundations
import Geodesy
import Positioning

/// One fix of the trellis; its candidates and their likelihoods are in the columns of its
/// `StepWindow`.
struct TrellisStep: Sendable {
  var fix: Fix
  var time: Instant
  var sigmaM = 0.0
  /// Costs of the off-network transitions from the previous step; none at a start.
  var offNetwork = OffNetworkCosts.none
  /// Whether the paths to this step come from `TreeLookup` instead of `NetworkSearch`.
  var isNear = false
  /// Whether paths were searched for as far as they may count.
  var isWide = false
  /// Whether the intervals to the previous fix and before it are equally long, and long enough for
  /// sparse sampling.
  var isSparse = false
  /// The location of its rows in the columns.
  var rows = Rows()

  /// Rows of the columns of a window.
  struct Rows: BitwiseCopyable {
    var firstCandidate = 0
    var candidateCount = 0
    /// One state for each candidate, followed by the off-road state.
    var firstState = 0
    /// The paths from the states of the previous step.
    var firstDrive = 0
    var driveCount = 0

    var candidates: Range<Int> { firstCandidate..<firstCandidate + candidateCount }
    var states: Range<Int> { firstState..<firstState + candidateCount + 1 }
    var drives: Range<Int> { firstDrive..<firstDrive + driveCount }
  }

  /// The fields of a fix that the motion depends on.
  struct Seen: BitwiseCopyable {
    var place: Coordinate
    var time: Instant
    var speedMps: Double?
    var sigmaM: Double
  }

  var seen: Seen { Seen(place: fix.place, time: time, speedMps: fix.speedMps, sigmaM: sigmaM) }

  var candidateCount: Int { rows.candidateCount }
  /// The number of the off-road state.
  var offRoadState: Int { rows.candidateCount }
}
