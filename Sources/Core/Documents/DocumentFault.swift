/// A place in a text document, and what is wrong there.
public struct DocumentFault: Error, Hashable, Sendable, CustomStringConvertible {
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

  /// A problem at the byte `offset` of a text; linear in the bytes before it.
  public init(_ problem: String, at offset: Int, of bytes: [UInt8]) {
    var line = 1
    var lineStart = 0
    let end = min(offset, bytes.count)
    for index in 0..<end where bytes[index] == 0x0a {
      line += 1
      lineStart = index + 1
    }
    self.init(line: line, column: end - lineStart + 1, problem: problem)
  }

  public var description: String { "line \(line), column \(column): \(problem)" }
}
