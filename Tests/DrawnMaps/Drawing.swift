import Geodesy
import MapMaking

/// An error in a drawing, or in the letters of a way, a node or a turn restriction.
enum DrawingFault: Error, CustomStringConvertible {
  case unknown(Character)
  case noWay(String)
  case noNode(Character)
  case noEdge(String)
  case severalEdges(String, Int)
  case restriction(String)

  var description: String {
    switch self {
    case .unknown(let letter): "\"\(letter)\" is not in the drawing"
    case .noWay(let letters): "no way was given as \"\(letters)\""
    case .noNode(let letter):
      "\"\(letter)\" is not a node of the graph: no road starts, ends or meets another there"
    case .noEdge(let letters): "no edges lead along \"\(letters)\""
    case .severalEdges(let letters, let count): "\"\(letters)\" is \(count) edges, not one"
    case .restriction(let text): "\"\(text)\" is not: from-way, via, to-way"
    }
  }
}

extension DrawnMap {
  static func places(_ lines: [Substring], on grid: DrawingGrid) -> [Character: Coordinate] {
    var places: [Character: Coordinate] = [:]
    for (number, line) in lines.enumerated() {
      for (column, letter) in line.enumerated()
      where letter.isASCII && (letter.isLetter || letter.isNumber) {
        places[letter] = grid.coordinate(line: number, column: column)
      }
    }
    return places
  }

  static func id(_ letter: Character) throws -> Int64 {
    guard letter.isLetter, let scalar = letter.unicodeScalars.first else {
      throw DrawingFault.unknown(letter)
    }
    return Int64(scalar.value)
  }

  /// `key=value key=two words` as tags.
  static func tags(_ text: String) -> OSMTags {
    var tags = OSMTags()
    var last: String?
    for word in text.split(separator: " ") {
      if let cut = word.firstIndex(of: "=") {
        let key = String(word[..<cut])
        tags[key] = String(word[word.index(after: cut)...])
        last = key
      } else if let key = last, let value = tags[key] {
        tags[key] = value + " " + word
      }
    }
    return tags
  }

  static func restriction(
    _ members: String, _ text: String, id: Int64, ways: [String: Int64]
  ) throws -> OSMRelation {
    let words = members.split { $0 == " " || $0 == "," }.map(String.init)
    guard words.count >= 3, let first = words.first, let last = words.last else {
      throw DrawingFault.restriction(members)
    }
    var list = [OSMMember(.way, try way(first, ways), role: "from")]
    for word in words.dropFirst().dropLast() {
      if word.count == 1, let letter = word.first {
        list.append(OSMMember(.node, try Self.id(letter), role: "via"))
      } else {
        list.append(OSMMember(.way, try way(word, ways), role: "via"))
      }
    }
    list.append(OSMMember(.way, try way(last, ways), role: "to"))
    var all = text.contains("=") ? tags(text) : ["restriction": text]
    all["type"] = "restriction"
    return OSMRelation(id: id, members: list, tags: all)
  }

  /// The way with these letters, or the one that contains them in either direction.
  private static func way(_ letters: String, _ ways: [String: Int64]) throws -> Int64 {
    if let id = ways[letters] { return id }
    let back = String(letters.reversed())
    let found = ways.filter { $0.key.contains(letters) || $0.key.contains(back) }
    guard let id = found.map(\.value).min() else { throw DrawingFault.noWay(letters) }
    return id
  }
}
