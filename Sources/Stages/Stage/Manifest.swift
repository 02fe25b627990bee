/// The description of a node, as printed by `--describe`.
public struct Manifest: Hashable, Sendable, Codable {
  /// The program's name: `nav-map-matcher`.
  public var name: String
  /// The purpose in one sentence.
  public var about: String
  public var parameters: [ParameterDeclaration]
  /// Topics that the stage reads, without the vehicle.
  public var inputs: [String]
  /// Inputs without which the stage cannot work; nil for none.
  ///
  /// The node is degraded while one of them is unavailable.
  public var requires: [String]?
  /// Inputs that may be missing in a stack without being declared in its file; nil for none.
  public var optionalInputs: [String]?
  /// Topics that the stage writes, without the vehicle.
  public var outputs: [String]
  /// Calls that the stage serves.
  public var serves: [String]
  /// Calls that the stage makes.
  public var calls: [String]
  /// Further calls that it makes if a node of the stack serves them; nil for none.
  public var optionalCalls: [String]?
  /// Vehicles that the stage creates itself and that appear nowhere else; nil for most stages.
  public var ownVehicles: [String]?
  /// Outputs whose readers determine for which vehicles of a fleet the stage works; nil for all
  /// vehicles.
  ///
  /// A node that serves any vehicle then reads only the inputs of demanded vehicles. A vehicle is
  /// demanded if another node reads one of these outputs, if an attachment watches it, or after a
  /// call for it.
  public var demandedBy: [String]?

  public init(
    name: String, about: String, parameters: [ParameterDeclaration] = [], inputs: [String] = [],
    requires: [String]? = nil, optionalInputs: [String]? = nil, outputs: [String] = [],
    serves: [String] = [], calls: [String] = [], optionalCalls: [String]? = nil,
    ownVehicles: [String]? = nil, demandedBy: [String]? = nil
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
    self.optionalCalls = optionalCalls
    self.ownVehicles = ownVehicles
    self.demandedBy = demandedBy
  }
}

/// The declaration of a parameter in stack.yaml.
public struct ParameterDeclaration: Hashable, Sendable, Codable {
  public enum Kind: String, Hashable, Sendable, Codable {
    case bool
    case int
    case double
    case string
    /// A file or folder, relative to stack.yaml unless it is absolute.
    case path
    /// A list of strings.
    case strings
  }

  /// Name in snake_case with the unit: `poll_interval_s`.
  public var name: String
  public var kind: Kind
  public var about: String
  /// nil if the parameter is required, or absent when not given.
  public var defaultValue: ParameterValue?
  public var isRequired: Bool
  /// Unit in display form: `m`, `s`, `m/s`; nil for bare values.
  public var unit: String?
  public var minimum: Double?
  public var maximum: Double?
  /// The allowed values of a string; empty if all are allowed.
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

/// The value of a parameter, as in YAML or JSON.
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
