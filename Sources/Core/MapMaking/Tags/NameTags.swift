/// The names of a road and the destinations on its signposts.
enum NameTags {
  /// Other names as `xx=Name` lines and other numbers as `ref:xx=Number` lines, sorted; nil if
  /// there are none.
  static func byLanguage(_ tags: OSMTags) -> String? {
    var lines: [String] = []
    for tag in tags.pairs where tag.key.hasPrefix("name:") {
      let language = tag.key.dropFirst(5)
      // `name:left`, `name:etymology:wikidata` and similar are not languages.
      guard isLanguage(language), !tag.value.utf8.contains(UInt8(ascii: "\n")) else { continue }
      lines.append("\(language)=\(tag.value)")
    }
    for tag in tags.pairs where tag.key.hasPrefix("ref:") {
      let language = tag.key.dropFirst(4)
      // Most `ref:` keys refer to catalogues: `ref:bag`, `ref:FR:SANDRE`.
      guard isLanguage(language), language.prefix(while: { $0 != "-" }).utf8.count == 2,
        tag.value.contains(where: \.isNumber), !tag.value.utf8.contains(UInt8(ascii: "\n"))
      else { continue }
      lines.append("ref:\(language)=\(tag.value)")
    }
    return lines.isEmpty ? nil : lines.sorted().joined(separator: "\n")
  }

  private static func isLanguage(_ word: Substring) -> Bool {
    let main = word.prefix { $0 != "-" && $0 != "_" }
    guard main.utf8.count == 2 || main.utf8.count == 3 else { return false }
    return main.utf8.allSatisfy { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
      && !word.utf8.contains(UInt8(ascii: ":"))
  }

  /// `destination` in one direction, separated by `;`; nil if there is none.
  static func destination(
    _ tags: OSMTags, _ direction: TravelDirection, bareHolds: Bool
  ) -> String? {
    first(["destination", "destination:street", "destination:to"]) {
      signpost($0, tags, direction, bareHolds: bareHolds)
    }
  }

  /// Road numbers on the signposts of one direction.
  static func destinationNumber(
    _ tags: OSMTags, _ direction: TravelDirection, bareHolds: Bool
  ) -> String? {
    first(["destination:ref", "destination:int_ref", "destination:ref:to"]) {
      signpost($0, tags, direction, bareHolds: bareHolds)
    }
  }

  /// The name of a motorway junction, and in a second line where its exit leads (`exit_to`); nil if
  /// it has neither.
  static func junction(_ tags: OSMTags) -> String? {
    guard let exitTo = tags["exit_to"], !exitTo.isEmpty else { return tags["name"] }
    return "\(tags["name"] ?? "")\n\(exitTo)"
  }

  /// Symbols on the signposts of one direction.
  static func destinationSymbol(
    _ tags: OSMTags, _ direction: TravelDirection, bareHolds: Bool
  ) -> String? {
    signpost("destination:symbol", tags, direction, bareHolds: bareHolds)
  }

  /// The value of the first key that has one: the text on the sign takes precedence over the final
  /// destination.
  private static func first(_ keys: [String], _ value: (String) -> String?) -> String? {
    for key in keys {
      if let value = value(key) { return value }
    }
    return nil
  }

  private static func signpost(
    _ key: String, _ tags: OSMTags, _ direction: TravelDirection, bareHolds: Bool
  ) -> String? {
    guard tags.hasKey(startingWith: "destination") else { return nil }
    return tags[key + direction.suffix] ?? (bareHolds ? tags[key] : nil)
      ?? lanes(tags["\(key):lanes\(direction.suffix)"] ?? (bareHolds ? tags["\(key):lanes"] : nil))
  }

  /// The values of all lanes together, each once.
  private static func lanes(_ value: String?) -> String? {
    guard let value else { return nil }
    var seen: [String] = []
    for lane in value.split(separator: "|") {
      for part in parts(String(lane)) where !seen.contains(part) { seen.append(part) }
    }
    return seen.isEmpty ? nil : seen.joined(separator: ";")
  }
}
