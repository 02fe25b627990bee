/// Why bytes are not a trace, and where.
public struct TraceFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  public var line: Int
  /// In bytes, counted from 1.
  public var column: Int
  /// What is wrong there, as the end of a sentence.
  public var problem: String

  public init(line: Int, column: Int, problem: String) {
    self.line = line
    self.column = column
    self.problem = problem
  }

  public var description: String { "line \(line), column \(column): \(problem)" }
}

/// Recorded fixes of one trip, in the order of the file.
public struct Trace: Hashable, Sendable {
  /// Name or number of the trip; empty if the file does not distinguish trips.
  public var name: String
  public var fixes: [Fix]

  public init(name: String, fixes: [Fix]) {
    self.name = name
    self.fixes = fixes
  }
}
