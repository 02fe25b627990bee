/// The features at a node.
public struct NodeFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let trafficSignals = NodeFlags(rawValue: 1 << 0)
  public static let stopSign = NodeFlags(rawValue: 1 << 1)
  public static let giveWay = NodeFlags(rawValue: 1 << 2)
  public static let crossing = NodeFlags(rawValue: 1 << 3)
  public static let levelCrossing = NodeFlags(rawValue: 1 << 4)
  public static let tollBooth = NodeFlags(rawValue: 1 << 5)
  public static let motorwayJunction = NodeFlags(rawValue: 1 << 6)
  public static let miniRoundabout = NodeFlags(rawValue: 1 << 7)
  public static let barrier = NodeFlags(rawValue: 1 << 8)
  public static let border = NodeFlags(rawValue: 1 << 9)
  public static let speedCamera = NodeFlags(rawValue: 1 << 10)
  public static let trafficCalming = NodeFlags(rawValue: 1 << 11)
  public static let turningCircle = NodeFlags(rawValue: 1 << 12)
  /// A gate, lift gate or similar barrier that lets some mode through.
  public static let gate = NodeFlags(rawValue: 1 << 13)
  /// The objects here (signals, stop, give way, camera) only apply to traffic along the way.
  public static let forwardOnly = NodeFlags(rawValue: 1 << 14)
  /// They only apply to traffic against the way.
  public static let backwardOnly = NodeFlags(rawValue: 1 << 15)
  /// A danger sign, such as `hazard=*`.
  public static let hazard = NodeFlags(rawValue: 1 << 16)
}
