/// The version shared by all programs of the stack.
public enum NodeVersion {
  public static let text = "0.1.0"
  /// Major version of the schemas in Protocols/ that are used; any minor version of it is
  /// understood.
  public static let schemas = 1
  /// The output of `--version` after the program's name.
  public static let line = "\(text) (schemas \(schemas).x)"
}
