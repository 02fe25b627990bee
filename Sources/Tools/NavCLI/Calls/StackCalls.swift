import BusClient
import MessagePack
import Messages

extension StackOptions {
  /// Makes a call of the contract and returns its reply.
  ///
  /// - Throws: `Problem` with the error's code and sentence.
  func ask<Request: CallMessage, Reply: CallMessage>(_ request: Request) throws -> Reply {
    let client = try connect()
    defer { client.close() }
    let seconds = Calls.all.first { $0.name == Request.call }?.timeoutS ?? 10
    switch client.callAndWait(
      Request.call, payload: request.encoded(), timeoutMS: UInt32(seconds * 1_000))
    {
    case .ok(let payload):
      return try Reply(decoding: payload)
    case .failed(let code, let message, let field):
      throw Problem("\(code): \(message)\(field.map { " (\($0))" } ?? "")")
    }
  }
}

/// A payload as one line of JSON.
enum MessagePackLine {
  static func text(_ payload: [UInt8]) throws -> String {
    try MessagePackValue(decoding: payload).json()
  }
}
