import ArgumentParser
import Foundation
import Foundations
import Geodesy
import Positioning

/// A trace with the way that was truly driven.
struct MatchingCase {
  var set: String
  var id: String
  var map: String
  var fixes: [Fix]
  /// Where the vehicle was at each fix; nil where the set does not tell.
  var truePlaces: [Coordinate?]
  var truth: [Coordinate]

  /// The cases of a list: a line each of set, name, map, trace and truth, with tabs between; paths are relative
  /// to the list.
  static func read(list path: String, sets: [String]) throws -> [MatchingCase] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    return try lines(of: path).enumerated().compactMap { number, line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count == 5 else {
        throw ValidationError("\(path):\(number + 1): five cells with tabs between are needed")
      }
      guard sets.isEmpty || sets.contains(cells[0]) else { return nil }
      func file(_ name: String) -> String { URL(fileURLWithPath: name, relativeTo: folder).path }
      let trace = try Table(file(cells[3]))
      let truth = try Table(file(cells[4]))
      let times = try trace.numbers("time")
      let fixes = zip(try trace.places("lat", "lon"), times).map { place, time in
        Fix(place: place, time: Instant(seconds: 1_767_254_400 + time))
      }
      let places =
        trace.has("true_lat")
        ? try trace.places("true_lat", "true_lon").map(Optional.some)
        : Array(repeating: nil, count: fixes.count)
      return MatchingCase(
        set: cells[0], id: cells[1], map: file(cells[2]), fixes: fixes, truePlaces: places,
        truth: try truth.places("lat", "lon"))
    }
  }

  /// Every `step`-th fix; `sigmaM` told as its accuracy where given.
  func sampled(every step: Int, sigmaM: Double?) -> MatchingCase {
    var sampled = self
    let kept = stride(from: 0, to: fixes.count, by: step)
    sampled.fixes = kept.map {
      var fix = fixes[$0]
      // 68 % of a plane's normal error lie within 1.51 sigmas.
      fix.accuracyM = sigmaM.map { $0 * 1.51 }
      return fix
    }
    sampled.truePlaces = kept.map { truePlaces[$0] }
    return sampled
  }

  fileprivate static func lines(of path: String) throws -> [Substring] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ValidationError("\(path) cannot be read")
    }
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
  }
}

/// A small file of comma-separated numbers under a line of names.
private struct Table {
  private let path: String
  private let names: [Substring]
  private let rows: [[Substring]]

  init(_ path: String) throws {
    self.path = path
    let lines = try MatchingCase.lines(of: path).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    guard let first = lines.first else { throw ValidationError("\(path) is empty") }
    names = first
    rows = Array(lines.dropFirst())
  }

  func has(_ name: String) -> Bool { names.contains { $0 == name } }

  func numbers(_ name: String) throws -> [Double] {
    guard let column = names.firstIndex(where: { $0 == name }) else {
      throw ValidationError("\(path):1: no column \"\(name)\"")
    }
    return try rows.enumerated().map { number, row in
      guard column < row.count, let value = Double(row[column]) else {
        throw ValidationError("\(path):\(number + 2): no number under \"\(name)\"")
      }
      return value
    }
  }

  func places(_ latitude: String, _ longitude: String) throws -> [Coordinate] {
    zip(try numbers(latitude), try numbers(longitude)).map {
      Coordinate(latitudeDeg: $0, longitudeDeg: $1)
    }
  }
}
