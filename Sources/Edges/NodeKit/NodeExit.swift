/// Exit codes of a node, as in sysexits.h.
public enum NodeExit: Int32, Sendable {
  case success = 0
  case failure = 1
  /// Wrong arguments.
  case usage = 64
  /// No broker appeared within the limit.
  case unavailable = 69
  /// A configuration error that a restart cannot fix.
  case configuration = 78
}
