import Bag
public import BusProtocol

/// The messages of a recording in the order in which the broker received them.
public final class RecordedRun {
  public let path: String
  private let cursor: FrameCursor
  /// When the last returned message was recorded, by the machine's clock, in ns since 1970.
  public private(set) var logTimeNS: Int64 = 0
  /// The encoding of the last returned message's payload, as stored in the file.
  public var messageEncoding: String { cursor.messageEncoding }

  /// - Throws: `ReplayProblem` if it is not a recording.
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
  /// A recording that just ends, because its writer was killed, ends there.
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
