import EventTime
import MessagePack
import Messages
import Scene
public import Stage

extension RendererStage {
  /// All that a successor needs to draw on.
  private struct Whole: Codable {
    static let version = 1

    var scene: Scene
    var route: [UInt8]?
    /// Each a message of its own.
    var lanes: [[UInt8]]
    var lastHeardAt: Instant?
    var lastFrameAt: Instant?
  }

  public var handOverState: [UInt8]? {
    HandOver.encode(
      Whole(
        scene: scene, route: route.map(Self.packed), lanes: lanes.map(Self.packed),
        lastHeardAt: lastHeardAt, lastFrameAt: lastFrameAt), version: Whole.version)
  }

  public mutating func takeOver(_ state: [UInt8]) throws(Refusal) {
    let whole = try HandOver.decode(Whole.self, from: state, version: Whole.version)
    do {
      route = try whole.route.map { (bytes) throws(DecodeError) in try Self.unpacked(bytes) }
      lanes = try whole.lanes.map { (bytes) throws(DecodeError) in try Self.unpacked(bytes) }
    } catch {
      throw Refusal(
        reason: "does_not_decode", message: "the state that is handed over: \(error.message)")
    }
    scene = whole.scene
    scene.tuning = settings.tuning
    lastHeardAt = whole.lastHeardAt
    lastFrameAt = whole.lastFrameAt
  }

  private static func packed(_ value: some Packable) -> [UInt8] {
    var packer = Packer()
    value.pack(into: &packer)
    return packer.bytes
  }

  private static func unpacked<Value: Packable>(_ bytes: [UInt8]) throws(DecodeError) -> Value {
    var reader = Unpacker(bytes)
    let value = try Value(from: &reader)
    try reader.end()
    return value
  }
}
