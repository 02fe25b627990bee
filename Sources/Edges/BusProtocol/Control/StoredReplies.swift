/// Limits of the replies that broker and server keep for retries of a call.
package enum StoredReplies {
  /// How long a retry with the same identity gets the stored reply.
  package static let lifetimeMS: Int64 = 60_000
  package static let maximumBytes = 64 << 20
}
