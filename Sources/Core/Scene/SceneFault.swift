/// Why a scene cannot be shown as asked.
public struct SceneFault: Error, Hashable, Sendable {
  /// Path of the field to blame, as in the request: `routes[1].shape`.
  public var field: String
  /// A sentence that says what is wrong with it.
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
