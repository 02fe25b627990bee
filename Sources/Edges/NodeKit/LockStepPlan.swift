public import Foundation
public import Stage

/// The input of `nav-conductor`: the nodes in their order, and the drive.
///
/// It is passed as a JSON file, with payloads as base64 of their MessagePack.
public struct LockStepPlan: Codable, Sendable {
  public struct Node: Codable, Sendable {
    public var name: String
    public var manifest: Manifest

    public init(name: String, manifest: Manifest) {
      self.name = name
      self.manifest = manifest
    }
  }

  public struct Call: Codable, Sendable {
    public var name: String
    public var request: Data

    public init(name: String, request: Data) {
      self.name = name
      self.request = request
    }
  }

  public struct End: Codable, Sendable {
    /// Topic without the vehicle.
    public var topic: String
    public var vehicle: String?
    /// A map of the required fields of the payload.
    public var fields: Data
    /// Number of such messages that ends the run; 1 if absent.
    public var count: Int?

    public init(topic: String, vehicle: String?, fields: Data, count: Int? = nil) {
      self.topic = topic
      self.vehicle = vehicle
      self.fields = fields
      self.count = count
    }
  }

  public var nodes: [Node]
  /// Vehicles by name; empty for those that messages name.
  public var vehicles: [String]
  public var start: [Call]
  public var until: End?
  /// Seconds of stack time after which the drive has failed.
  public var limitS: Double
  /// Path for the digests.
  public var digest: String?
  /// A digest sheet or a recording that the run must equal.
  public var expect: String?

  public init(
    nodes: [Node], vehicles: [String], start: [Call], until: End?, limitS: Double = 14_400,
    digest: String? = nil, expect: String? = nil
  ) {
    self.nodes = nodes
    self.vehicles = vehicles
    self.start = start
    self.until = until
    self.limitS = limitS
    self.digest = digest
    self.expect = expect
  }
}
