import ByteStage
import Foundation
import Glibc
import Messages
import Stage

/// Says something when its map is replaced.
struct MappedStage: ByteStage {
  static let manifest = Manifest(
    name: "toy-mapped", about: "Has a map.",
    parameters: [ParameterDeclaration("map", .path, required: true, "A map.")],
    outputs: ["toy/out"])

  static func load(_ parameters: Parameters) throws(StageFailure) {}
  static func maps(_ parameters: Parameters) -> [String] { [parameters.string("map") ?? ""] }
  init(vehicle: String, shared: Void) {}
  mutating func handle(_ event: EncodedEvent) throws(Refusal) -> [EncodedOutput] { [] }
  mutating func changeMap(to new: Void) -> [StageOutput] {
    [.publish(.bytes(topic: "toy/out", [1]), stamp: ClockStage.day)]
  }
}

/// A file in a folder of its own that stands for a map.
final class TemporaryMap {
  let path: String
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "navmapped-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("a.navmap").path
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Puts another file in its place.
  func replace() throws {
    let beside = folder.appendingPathComponent("beside").path
    try Data("newer".utf8).write(to: URL(fileURLWithPath: beside))
    guard rename(beside, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
