public import Foundation

/// Good inputs, from which the bad ones are made.
public struct Corpus: Sendable {
  /// Root of the source tree.
  public let root: URL
  /// The examples of the contract by the name of their schema, in order.
  public let examples: [(name: String, bytes: [UInt8])]
  /// The examples of the operations of the control socket by name, in order.
  public let operations: [(name: String, bytes: [UInt8])]

  /// - Throws: where Protocols/examples cannot be read under `root`.
  public init(root: URL) throws {
    self.root = root
    let folder = root.appendingPathComponent("Protocols/examples")
    examples = try Self.examples(in: folder)
    operations = try Self.examples(in: folder.appendingPathComponent("control"))
  }

  private static func examples(in folder: URL) throws -> [(name: String, bytes: [UInt8])] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".msgpack") }.sorted()
      .map { file in
        let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(file)))
        return (String(file.dropLast(".msgpack".count)), bytes)
      }
  }

  /// The bytes of one example; empty where there is none.
  public func example(_ schema: String) -> [UInt8] {
    let name = schema.prefix { $0 != "/" }
    return examples.first { $0.name == name }?.bytes ?? []
  }

  public func bytes(of path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: root.appendingPathComponent(path)))
  }
}
