import RealModule

/// An expression of a map style, evaluated for a zoom and the tags of a feature.
///
/// The part of MapLibre's expressions that `style.json` uses. Source: MapLibre Style Specification,
/// "Expressions".
public indirect enum StyleExpression: Hashable, Sendable {
  public enum Comparison: String, Hashable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  public enum Arithmetic: String, Hashable, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
  }

  /// An input of `interpolate` or `step`, and the output from there.
  public struct Stop: Hashable, Sendable {
    public var input: Double
    public var output: StyleExpression

    public init(input: Double, output: StyleExpression) {
      self.input = input
      self.output = output
    }
  }

  /// A condition of `case`, and its output.
  public struct Branch: Hashable, Sendable {
    public var condition: StyleExpression
    public var output: StyleExpression
  }

  case literal(StyleValue)
  case get(String)
  case has(String)
  case zoom
  case all([StyleExpression])
  case any([StyleExpression])
  case not(StyleExpression)
  case compare(Comparison, StyleExpression, StyleExpression)
  case match(StyleExpression, [StyleValue: StyleExpression], otherwise: StyleExpression)
  case branch([Branch], otherwise: StyleExpression)
  /// Between stops, with the base of an exponential curve; 1 is linear.
  case interpolate(base: Double, StyleExpression, [Stop])
  case step(StyleExpression, first: StyleExpression, [Stop])
  case arithmetic(Arithmetic, [StyleExpression])
  case concat([StyleExpression])
  case coalesce([StyleExpression])
  case slice(StyleExpression, from: Int, to: Int?)

  /// The value at a zoom for a feature; `none` where operands have the wrong type.
  ///
  /// Linear in the size of the expression.
  public func value(zoom: Double, _ feature: StyleProperties) -> StyleValue {
    func evaluated(_ part: StyleExpression) -> StyleValue { part.value(zoom: zoom, feature) }
    switch self {
    case .literal(let value): return value
    case .get(let name): return feature[name] ?? .none
    case .has(let name): return .bool(feature[name] != nil)
    case .zoom: return .number(zoom)
    case .all(let parts): return .bool(parts.allSatisfy { evaluated($0).isTrue })
    case .any(let parts): return .bool(parts.contains { evaluated($0).isTrue })
    case .not(let part): return .bool(!evaluated(part).isTrue)
    case .compare(let comparison, let a, let b):
      return .bool(Self.holds(comparison, evaluated(a), evaluated(b)))
    case .match(let input, let outputs, let otherwise):
      return evaluated(outputs[evaluated(input)] ?? otherwise)
    case .branch(let branches, let otherwise):
      return evaluated(branches.first { evaluated($0.condition).isTrue }?.output ?? otherwise)
    case .interpolate(let base, let input, let stops):
      guard let x = evaluated(input).number else { return .none }
      return Self.interpolated(x, base: base, stops) { evaluated($0) }
    case .step(let input, let first, let stops):
      guard let x = evaluated(input).number else { return .none }
      return evaluated(stops.last { $0.input <= x }?.output ?? first)
    case .arithmetic(let operation, let parts):
      return Self.result(of: operation, parts.map { evaluated($0).number })
    case .concat(let parts): return .text(parts.map { evaluated($0).written }.joined())
    case .coalesce(let parts):
      return parts.lazy.map { evaluated($0) }.first { $0 != .none } ?? .none
    case .slice(let part, let from, let to):
      guard let text = evaluated(part).text else { return .none }
      return .text(String(text.prefix(to ?? text.count).dropFirst(from)))
    }
  }

  private static func holds(_ comparison: Comparison, _ a: StyleValue, _ b: StyleValue) -> Bool {
    switch comparison {
    case .equal: return a == b
    case .notEqual: return a != b
    default: break
    }
    guard let a = a.number, let b = b.number else { return false }
    switch comparison {
    case .less: return a < b
    case .lessOrEqual: return a <= b
    case .greater: return a > b
    default: return a >= b
    }
  }

  private static func interpolated(
    _ x: Double, base: Double, _ stops: [Stop], _ evaluated: (StyleExpression) -> StyleValue
  ) -> StyleValue {
    guard let first = stops.first, let last = stops.last else { return .none }
    if x <= first.input { return evaluated(first.output) }
    if x >= last.input { return evaluated(last.output) }
    guard let upper = stops.firstIndex(where: { $0.input > x }) else { return .none }
    let (low, high) = (stops[upper - 1], stops[upper])
    guard let a = evaluated(low.output).number, let b = evaluated(high.output).number else {
      return .none
    }
    let range = high.input - low.input
    let share =
      base == 1
      ? (x - low.input) / range
      : (Double.pow(base, x - low.input) - 1) / (Double.pow(base, range) - 1)
    return .number(a + (b - a) * share)
  }

  private static func result(of operation: Arithmetic, _ operands: [Double?]) -> StyleValue {
    let numbers = operands.compactMap { $0 }
    guard let first = numbers.first, numbers.count == operands.count else { return .none }
    let rest = numbers.dropFirst()
    switch operation {
    case .add: return .number(rest.reduce(first, +))
    case .multiply: return .number(rest.reduce(first, *))
    case .subtract: return .number(rest.isEmpty ? -first : rest.reduce(first, -))
    case .divide: return .number(rest.reduce(first, /))
    }
  }
}
