/// Why a scene cannot be shown as requested.
public struct SceneFault: Error, Hashable, Sendable {
  /// Path of the field with the problem, as in the request: `routes[1].shape`.
  public var field: String
  /// A sentence that describes the problem.
  public var message: String

  public init(field: String, message: String) {
    self.field = field
    self.message = message
  }

  /// The same fault of a field of `parent`.
  public func inside(_ parent: String) -> SceneFault {
    SceneFault(field: "\(parent).\(field)", message: message)
  }
}
