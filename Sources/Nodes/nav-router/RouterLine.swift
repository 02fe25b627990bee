import Foundation
import Stage

/// What `nav-router` is told on its command line beside what every node is told.
///
///     nav-router --http [HOST:PORT]                 on the bus, and over HTTP
///     nav-router --http [HOST:PORT] --map FILE      with no bus at all
struct RouterLine {
  /// Parameters that the line gives; they go before those of the stack file.
  var parameters: [String: ParameterValue] = [:]
  /// The other words.
  var rest: [String] = []

  init(_ words: some Sequence<String>) throws(StageFailure) {
    var words = Array(words)[...]
    while let word = words.popFirst() {
      switch word {
      case "--http":
        let value = words.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
        if value != nil { words.removeFirst() }
        parameters["http"] = .string(value ?? OSRMAddress.usual)
      case "--map":
        guard let value = words.popFirst() else {
          throw StageFailure("--map needs a .navmap or OSM file")
        }
        parameters["map"] = .string(value)
      default: rest.append(word)
      }
    }
  }

  /// With a map, an address and no bus it serves HTTP alone.
  var isAlone: Bool {
    parameters["http"] != nil && parameters["map"] != nil && rest.isEmpty
      && (ProcessInfo.processInfo.environment["NAV_BUS"] ?? "").isEmpty
  }

  static func fail(_ failure: StageFailure) -> Never {
    FileHandle.standardError.write(Data("error: \(failure.message)\n".utf8))
    exit(64)
  }
}

/// Where the HTTP API is served.
struct OSRMAddress {
  /// OSRM's own port, for this machine alone.
  static let usual = "127.0.0.1:5000"

  var host: String
  var port: UInt16

  /// The parameter `http`: `HOST:PORT`, `PORT` or `:PORT`; nil where it is not given.
  init?(_ parameters: Parameters) throws(StageFailure) {
    guard let text = parameters.string("http"), !text.isEmpty, text != "off" else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let host = parts.count > 1 ? parts.dropLast().joined(separator: ":") : ""
    guard let last = parts.last, let port = UInt16(last) else {
      throw StageFailure("http: \"\(text)\" is no address; write HOST:PORT, as in \(Self.usual)")
    }
    self.host = host.isEmpty ? "127.0.0.1" : host
    self.port = port
  }
}
