/// Why a node ends, for whoever started it; as in sysexits.h.
public enum NodeExit: Int32, Sendable {
  case success = 0
  case failure = 1
  /// Wrong arguments.
  case usage = 64
  /// No broker came within the limit.
  case unavailable = 69
  /// A configuration that a restart cannot mend.
  case configuration = 78
}
