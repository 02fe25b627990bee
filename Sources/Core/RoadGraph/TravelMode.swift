/// The mode of travel; decides the usable network, the speeds and the wording.
public enum TravelMode: UInt8, Codable, Hashable, Sendable, CaseIterable {
  case car
  case truck
  case bus
  case taxi
  case scooter
  case bicycle
  case pedestrian

  /// The name in messages and on the command line.
  public var word: String {
    switch self {
    case .car: "car"
    case .truck: "truck"
    case .bus: "bus"
    case .taxi: "taxi"
    case .scooter: "scooter"
    case .bicycle: "bicycle"
    case .pedestrian: "pedestrian"
    }
  }

  public init?(word: String) {
    guard let mode = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = mode
  }

  public var isMotorised: Bool { self != .bicycle && self != .pedestrian }
}

/// A set of travel modes, one bit each.
public struct TravelModes: OptionSet, Codable, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public init(_ mode: TravelMode) { self.rawValue = 1 << mode.rawValue }
  public static let all = TravelModes(rawValue: 0x7f)
  public static let motorised = TravelModes(rawValue: 0x1f)
  public static let unmotorised = TravelModes(rawValue: 0x60)
  @inlinable public func contains(_ mode: TravelMode) -> Bool {
    rawValue & (1 << mode.rawValue) != 0
  }
}

/// The access of a mode to an edge in the edge's direction.
public enum Access: UInt8, Codable, Hashable, Sendable {
  /// Not at all: forbidden, or against a one-way.
  case no = 0
  case yes = 1
  /// Only to reach a place on it or after it.
  case destination = 2
  case delivery = 3
  case customers = 4
  /// Only with the owner's permission.
  case `private` = 5
  /// Only dismounted: a bicycle must be pushed.
  case dismount = 6

  /// Whether a route may use it at all.
  public var isUsable: Bool { self != .no }
  /// Whether a route may pass through, and not only begin or end there.
  public var allowsThrough: Bool { self == .yes || self == .dismount }
}
