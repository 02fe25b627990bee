/// A place in a stack file; lines and columns from 1.
public struct Place: Hashable, Sendable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static let start = Place(line: 1, column: 1)
}

/// A value and its position in the file.
public struct Located<Value: Hashable & Sendable>: Hashable, Sendable {
  public var value: Value
  public var place: Place

  public init(_ value: Value, at place: Place) {
    self.value = value
    self.place = place
  }
}

/// A fault of a stack file or a manifest: a sentence with the position and the remedy.
public struct StackProblem: Error, Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable {
    case error
    case warning
  }

  public var severity: Severity
  public var place: Place
  /// Keys from the root, such as `nodes.matcher.params`; empty for the file itself.
  public var path: String
  public var message: String
  /// The file or command with the faulty text; nil for the stack file.
  public var file: String?

  public init(
    _ message: String, path: String = "", at place: Place = .start, severity: Severity = .error
  ) {
    self.severity = severity
    self.place = place
    self.path = path
    self.message = message
  }

  /// `stack.yaml:33:14: error: nodes.matcher.params: unknown key "max_snap"`; `stackFile` names the stack file.
  public func text(file stackFile: String) -> String {
    let file = self.file ?? stackFile
    let subject = path.isEmpty ? "" : "\(path): "
    if place.line == 0 { return "command line: \(severity.rawValue): \(subject)\(message)" }
    return "\(file):\(place.line):\(place.column): \(severity.rawValue): \(subject)\(message)"
  }
}

extension [StackProblem] {
  /// Whether any of them prevents the stack from starting.
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// The problems in the order of the file; those of other files follow the stack file's own.
  public var inOrder: [StackProblem] {
    sorted {
      ($0.file ?? "", $0.place.line, $0.place.column)
        < ($1.file ?? "", $1.place.line, $1.place.column)
    }
  }
}
