extension MessagePackValue {
  /// Whether the field at a path has a value; `position.lat_deg` leads into a map, and 3 equals 3.0.
  public func has(_ wanted: MessagePackValue, at path: String) -> Bool {
    var value: MessagePackValue? = self
    for step in path.split(separator: ".") { value = value?[String(step)] }
    guard let value else { return false }
    return switch (value, wanted) {
    case (.double(let x), .int(let y)), (.int(let y), .double(let x)): x == Double(y)
    default: value == wanted
    }
  }
}
