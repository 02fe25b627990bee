import Foundation
import Messages
import Testing

/// One message of the contract with its golden bytes.
struct GoldenMessage: CustomTestStringConvertible, Sendable {
  var name: String
  var type: any StructMessage.Type
  var bytes: [UInt8]

  var testDescription: String { name }
}

/// The examples in Protocols/examples.
enum Examples {
  static let protocols = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Protocols")

  /// One for each topic, request and reply.
  static let all: [GoldenMessage] =
    Topics.all.map { golden($0.schema, $0.message) }
    + Calls.all.flatMap {
      [golden($0.request.schema, $0.request), golden($0.reply.schema, $0.reply)]
    }

  /// The bytes of the example with a schema.
  static func bytes(_ schema: String) -> [UInt8]? {
    all.first { schema.hasPrefix("\($0.name)/") }?.bytes
  }

  private static func golden(_ schema: String, _ type: any StructMessage.Type) -> GoldenMessage {
    let name = schema.prefix { $0 != "/" }
    let file = protocols.appendingPathComponent("examples/\(name).msgpack")
    // A file that is not there leaves no bytes, which the first test then refuses.
    let bytes = (try? Data(contentsOf: file)).map { [UInt8]($0) } ?? []
    return GoldenMessage(name: String(name), type: type, bytes: bytes)
  }
}
