import ArgumentParser
import Foundation
import Stage

/// The options of `nav-router` itself; each has priority over the parameter of the same meaning.
///
///     nav-router --http [HOST:PORT]                 on the bus, and over HTTP
///     nav-router --http [HOST:PORT] --map FILE      with no bus at all
struct RouterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Address to serve OSRM's HTTP API on; without a value \(OSRMAddress.usual). Without NAV_BUS the router needs no bus. (http)",
      valueName: "host:port"))
  var http: String?

  @Option(help: ArgumentHelp("The map: a .navmap or any OSM file. (map)", valueName: "file"))
  var map: String?

  @Option(
    help: ArgumentHelp(
      "Origins of web pages that may read the responses, separated by commas; * for all. (http_origins)",
      valueName: "https://…"))
  var origins: String?

  @Option(
    help: ArgumentHelp(
      "Additional host names to accept, separated by commas, such as those of a reverse proxy; * for all. (http_hosts)",
      valueName: "names"))
  var hosts: String?

  @Option(
    help: ArgumentHelp(
      "Maximum time for one response, seconds: 0.1 to 600, default 30. (http_answer_s)",
      valueName: "s"))
  var answerS: Double?

  @Option(
    help: ArgumentHelp(
      "Maximum number of connections: 16 to 10000, default 1024. (http_connections)",
      valueName: "n"))
  var connections: Int?

  /// The parameters from the command line.
  var parameters: [String: ParameterValue] {
    var values: [String: ParameterValue] = [:]
    values["http"] = http.map { .string($0) }
    values["map"] = map.map { .string($0) }
    values["http_origins"] = origins.map { .strings(Self.words($0)) }
    values["http_hosts"] = hosts.map { .strings(Self.words($0)) }
    values["http_answer_s"] = answerS.map { .double($0) }
    values["http_connections"] = connections.map { .int($0) }
    return values
  }

  private static func words(_ list: String) -> [String] {
    list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The words of a command line in which `--http` may occur without an address.
  static func words(_ words: some Sequence<String>) -> [String] {
    let words = Array(words)
    return words.indices.map { index in
      let isLast = index + 1 == words.count
      let isAlone = words[index] == "--http" && (isLast || words[index + 1].hasPrefix("-"))
      return isAlone ? "--http=\(OSRMAddress.usual)" : words[index]
    }
  }
}
