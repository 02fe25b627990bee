import CLinux
public import Stage

/// How many descriptors this process may have open.
public enum DescriptorLimit {
  /// With fewer no process of a stack can do its work.
  public static let least = 48

  /// Raises the soft limit to the hard one: a thousand, the usual soft one, is what one leaking client takes.
  ///
  /// - Throws: `StageFailure` where even that is too few.
  public static func raise() throws(StageFailure) {
    let limit = clinux_raise_descriptor_limit()
    guard limit >= Int64(least) else {
      throw StageFailure(
        "only \(limit) files may be open, and at least \(least) are needed: raise the limit (ulimit -n)"
      )
    }
  }
}
