/// Limits of a handover that broker and nodes share.
package enum HandoverLimits {
  /// Maximum time for which a handover may hold input, in milliseconds.
  package static let maximumHoldMS: UInt64 = 2_000
}
