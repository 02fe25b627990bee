/// What a node says of itself: the answer to `--describe`.
public struct Manifest: Hashable, Sendable, Codable {
  /// The program's name: `nav-map-matcher`.
  public var name: String
  /// One sentence.
  public var about: String
  public var parameters: [ParameterDeclaration]
  /// Topics without the vehicle that the stage reads.
  public var inputs: [String]
  /// Inputs without which it cannot do its work; nil for none.
  ///
  /// The node is degraded while one of them is not well.
  public var requires: [String]?
  /// Inputs that a stack may lack without a word in its file; nil for none.
  public var optionalInputs: [String]?
  /// Topics without the vehicle that the stage writes.
  public var outputs: [String]
  /// Calls that the stage answers.
  public var serves: [String]
  /// Calls that the stage makes.
  public var calls: [String]
  /// Vehicles that the stage brings of itself, named by nobody else; nil for most stages.
  public var ownVehicles: [String]?
  /// Outputs whose readers decide for which vehicles of a fleet the stage works; nil for all vehicles.
  ///
  /// A node that serves any vehicle then reads the inputs of those vehicles alone of which somebody else reads one of
  /// these outputs, which an attachment watches, or for which a call has come.
  public var demandedBy: [String]?

  public init(
    name: String, about: String, parameters: [ParameterDeclaration] = [], inputs: [String] = [],
    requires: [String]? = nil, optionalInputs: [String]? = nil, outputs: [String] = [],
    serves: [String] = [], calls: [String] = [], ownVehicles: [String]? = nil,
    demandedBy: [String]? = nil
  ) {
    self.name = name
    self.about = about
    self.parameters = parameters
    self.inputs = inputs
    self.requires = requires
    self.optionalInputs = optionalInputs
    self.outputs = outputs
    self.serves = serves
    self.calls = calls
    self.ownVehicles = ownVehicles
    self.demandedBy = demandedBy
  }
}

/// One thing a node can be told in stack.yaml.
public struct ParameterDeclaration: Hashable, Sendable, Codable {
  public enum Kind: String, Hashable, Sendable, Codable {
    case bool
    case int
    case double
    case string
    /// A file or folder, relative to stack.yaml where it is not absolute.
    case path
    /// A list of strings.
    case strings
  }

  /// snake_case with the unit in the name: `poll_interval_s`.
  public var name: String
  public var kind: Kind
  public var about: String
  /// nil where the parameter must be given, or is absent when it is not.
  public var defaultValue: ParameterValue?
  public var isRequired: Bool
  /// Unit as a reader writes it: `m`, `s`, `m/s`; nil for bare values.
  public var unit: String?
  public var minimum: Double?
  public var maximum: Double?
  /// The allowed words of a string; empty where any will do.
  public var values: [String]

  public init(
    _ name: String, _ kind: Kind, default defaultValue: ParameterValue? = nil,
    required isRequired: Bool = false, unit: String? = nil, min minimum: Double? = nil,
    max maximum: Double? = nil, values: [String] = [], _ about: String
  ) {
    self.name = name
    self.kind = kind
    self.about = about
    self.defaultValue = defaultValue
    self.isRequired = isRequired
    self.unit = unit
    self.minimum = minimum
    self.maximum = maximum
    self.values = values
  }
}

/// A parameter's value, as YAML or JSON carries it.
public enum ParameterValue: Hashable, Sendable, Codable, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case strings([String])

  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else {
      self = .strings(try container.decode([String].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .strings(let value): try container.encode(value)
    }
  }
}
