import CLinux
public import Stage

/// The limit of open descriptors of this process.
public enum DescriptorLimit {
  /// Minimum number of descriptors with which a process of a stack can work.
  public static let least = 48

  /// Raises the soft limit to the hard limit.
  ///
  /// One leaking client can use up a thousand descriptors, which is the usual soft limit.
  ///
  /// - Throws: `StageFailure` if the raised limit is still too low.
  public static func raise() throws(StageFailure) {
    let limit = clinux_raise_descriptor_limit()
    guard limit >= Int64(least) else {
      throw StageFailure(
        "the limit of open files is \(limit), at least \(least) are needed: raise it (ulimit -n)"
      )
    }
  }
}
