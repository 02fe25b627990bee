import ArgumentParser
import Foundation
import RoadFile
import RoadGraph
import TrafficFeeds

/// `nav openlr MAP CODE…`: finds the road of OpenLR lines on a map, or the reason why there is
/// none.
struct OpenLRCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openlr", abstract: "Find the road of OpenLR lines on a map file.",
    discussion: """
      Codes are line locations in the binary format, version 3, in base64. For each code the edges are printed with their \
      segments and the metres of each that belong to the line, or the reason why the code is refused. The exit code is 1 if any \
      code is refused. Traffic feeds use the same decoder.
      """)

  @Argument(help: "A .navmap or OSM file.") var map: String
  @Argument(help: "OpenLR codes in base64.") var codes: [String] = []
  @Option(help: "A file with one code per line; - for standard input.") var file: String?
  @Flag(help: "Print JSON, one line per code.") var json = false

  private struct Part: Encodable {
    var edge: UInt32
    var way: Int64
    var from: Int64
    var to: Int64
    var fromM: Double
    var toM: Double
    var lengthM: Double
  }

  private struct Line: Encodable {
    var code: String
    var lengthM: Double?
    /// Metres of the first and of the last edge that do not belong to the line.
    var startOffsetM: Double?
    var endOffsetM: Double?
    var parts: [Part]?
    var reason: String?
  }

  func run() throws {
    var codes = codes
    if let file { codes += try lines(of: file) }
    guard !codes.isEmpty else {
      throw ValidationError("give codes, or a file of codes with --file")
    }
    let graph: RoadGraph
    do throws(RoadFileError) {
      graph = try RoadFile.open(path: map)
    } catch {
      throw ValidationError(error.description)
    }
    let decoder = OpenLRDecoder(on: graph)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    var isRefused = false
    for code in codes {
      let line = Self.line(code, decoder, graph)
      isRefused = isRefused || line.reason != nil
      print(json ? String(decoding: try encoder.encode(line), as: UTF8.self) : Self.text(line))
    }
    if isRefused { throw ExitCode.failure }
  }

  private func lines(of path: String) throws -> [String] {
    let data =
      path == "-"
      ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: path)
    guard let data else { throw ValidationError("--file \(path) cannot be read") }
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty }
  }

  private static func line(_ code: String, _ decoder: OpenLRDecoder, _ graph: RoadGraph) -> Line {
    do throws(FeedFault) {
      let parts = try decoder.parts(try OpenLRReference(base64: code)).map { part in
        let reference = graph.reference(part.edge)
        return Part(
          edge: part.edge.rawValue, way: reference.way, from: reference.from, to: reference.to,
          fromM: part.fromM, toM: part.toM, lengthM: graph.lengthM(part.edge))
      }
      return Line(
        code: code, lengthM: parts.reduce(0) { $0 + $1.toM - $1.fromM },
        startOffsetM: parts.first?.fromM, endOffsetM: parts.last.map { $0.lengthM - $0.toM },
        parts: parts)
    } catch {
      return Line(code: code, reason: error.description)
    }
  }

  private static func text(_ line: Line) -> String {
    guard let parts = line.parts else { return "\(line.code): refused: \(line.reason ?? "")" }
    let head = String(
      format: "%@: %.1f m on %d edges, offsets %.1f and %.1f m", line.code, line.lengthM ?? 0,
      parts.count, line.startOffsetM ?? 0, line.endOffsetM ?? 0)
    return
      ([head]
      + parts.map {
        String(
          format: "  edge %d, way %lld from %lld to %lld: %.1f to %.1f of %.1f m", $0.edge, $0.way,
          $0.from, $0.to, $0.fromM, $0.toM, $0.lengthM)
      }).joined(separator: "\n")
  }
}
