import Bag
public import Bus

/// The messages of a recording, one after the other, in the order in which the broker had them.
public final class RecordedRun {
  public let path: String
  private let cursor: FrameCursor
  /// When the last given message was recorded, by the machine's clock, in ns since 1970.
  public private(set) var logTimeNS: Int64 = 0
  /// The encoding of the last given message's payload, as the file names it.
  public var messageEncoding: String { cursor.messageEncoding }

  /// - Throws: `ReplayProblem` where it is no recording.
  public init(path: String, where isWanted: @escaping (String) -> Bool = { _ in true })
    throws(ReplayProblem)
  {
    self.path = path
    do {
      cursor = try Recording(path: path).frames(where: isWanted)
    } catch {
      throw ReplayProblem("\(error)")
    }
  }

  /// The next message; nil at the end.
  ///
  /// A recording that just ends, as one does whose writer was killed, ends there.
  public func next() throws(ReplayProblem) -> Frame? {
    do {
      guard let next = try cursor.next() else { return nil }
      logTimeNS = next.logTimeNS
      return next.frame
    } catch {
      guard !error.isTruncation else { return nil }
      throw ReplayProblem("\(error)")
    }
  }
}
