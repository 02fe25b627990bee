import StackFile

/// Splits a stream of bytes into complete lines.
public struct LineSplitter: Hashable, Sendable {
  private var rest: [UInt8] = []
  /// Longer lines are cut.
  public static let maximumBytes = 16_384

  public init() {}

  /// The lines that are complete now, without line ends.
  public mutating func append(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(flush())
      } else {
        rest.append(byte)
        if rest.count == Self.maximumBytes { lines.append(flush() + " ...") }
      }
    }
    return lines
  }

  /// The incomplete line at the end of the stream; nil if there is none.
  public mutating func end() -> String? { rest.isEmpty ? nil : flush() }

  private mutating func flush() -> String {
    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    defer { rest.removeAll(keepingCapacity: true) }
    return String(decoding: rest, as: UTF8.self)
  }
}

/// The format of the lines of several processes: `12:03:41.207 matcher   | text`.
public struct LogFormat: Hashable, Sendable {
  public var nameWidth: Int
  public var showsTime: Bool
  public var isColored: Bool
  private var colors: [String: Int] = [:]

  /// Columns are as wide as the longest of `names`, at most 24.
  public init(names: [String], showsTime: Bool = true, isColored: Bool = false) {
    nameWidth = min(24, names.map(\.count).max() ?? 0)
    self.showsTime = showsTime
    self.isColored = isColored
    let palette = [36, 33, 32, 35, 34, 96, 93, 92, 95, 94]
    for (index, name) in names.enumerated() { colors[name] = palette[index % palette.count] }
  }

  /// One line; `time` is the local time of day, `!` marks standard error.
  public func line(_ name: String, _ text: String, isError: Bool = false, time: String) -> String {
    let padding = String(repeating: " ", count: max(0, nameWidth - name.count))
    var column = name + padding
    if isColored, let color = colors[name] { column = "\u{1b}[\(color)m\(column)\u{1b}[0m" }
    let clean = Self.withoutEscapes(text, keepsColor: isColored)
    return (showsTime ? "\(time) " : "") + "\(column) \(isError ? "!" : "|") \(clean)"
  }

  /// The same as a JSON object; `time` is the moment in UTC.
  public static func json(
    _ name: String, _ text: String, isError: Bool = false, time: String
  ) -> String {
    "{\"time\": \(JSONText.quoted(time)), \"node\": \(JSONText.quoted(name)), "
      + "\"error\": \(isError), \"text\": \(JSONText.quoted(withoutEscapes(text)))}"
  }

  /// Returns the text without control sequences (ECMA-48) and line separators.
  ///
  /// The output of a node must not move the cursor or rename the window. Colours stay if
  /// `keepsColor` is true.
  static func withoutEscapes(_ text: String, keepsColor: Bool = false) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { !isControl($0) }
    guard !isPlain else { return text }
    var out = String.UnicodeScalarView()
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1b}" else {
        if !isControl(scalar) { out.append(scalar) }
        continue
      }
      switch rest.popFirst() {
      case "[":
        let parameters = rest.prefix { ("\u{20}"..."\u{3f}").contains($0) }
        rest = rest.dropFirst(parameters.count)
        let last = rest.popFirst()
        if keepsColor, last == "m" {
          out += Substring("\u{1b}[").unicodeScalars
          out += parameters
          out.append("m")
        }
      case "]", "P", "X", "^", "_":
        // A control string ends with BEL or ESC \. Without an end, it takes the rest of the line.
        rest = rest.drop { $0 != "\u{07}" && $0 != "\u{1b}" }
        if rest.popFirst() == "\u{1b}", rest.first == "\\" { rest.removeFirst() }
      default: break
      }
    }
    return String(out)
  }

  /// Whether a scalar is in C0 (except the tab) or C1, or separates lines or paragraphs.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09: false
    case ..<0x20, 0x7f...0x9f, 0x2028, 0x2029: true
    default: false
    }
  }
}

/// The last lines of a process, to explain why it died.
public struct LastLines: Hashable, Sendable {
  private var lines: [String] = []
  /// Number of the last line; they count from 1.
  public private(set) var last: UInt64 = 0
  /// Number of lines that are kept.
  public static let maximumCount = 200
  /// Number of lines that are shown when a process has brought the stack down.
  public static let blameCount = 20

  public init() {}

  public mutating func add(_ line: String) {
    last += 1
    lines.append(line)
    if lines.count > Self.maximumCount * 2 { lines.removeFirst(Self.maximumCount) }
  }

  /// Lines with a greater number than `number`, if they are still kept.
  public func after(_ number: UInt64) -> [String] {
    let wanted = last > number ? min(UInt64(Self.maximumCount), last - number) : 0
    return Array(lines.suffix(Int(wanted)))
  }
}
