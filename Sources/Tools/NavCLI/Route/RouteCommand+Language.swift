import RoadGraph
import Speech

extension RouteCommand {
  /// Checks that the map or the texts are in the language of `--language`.
  ///
  /// The languages of names are those that the map contains.
  ///
  /// - Returns: A note if only names of the map are in the language; nil if the texts are, too.
  static func checkLanguage(
    _ tag: String, on graph: RoadGraph
  ) throws(RouteCommandFault) -> String? {
    let main = String(tag.lowercased().prefix { $0 != "-" && $0 != "_" })
    let spoken = Languages.all.map(\.tag)
    let isSpoken = spoken.contains {
      $0.lowercased().split(separator: "-").first.map(String.init) == main
    }
    guard !isSpoken else { return Languages.find(tag).note.map { "--language: \($0)" } }
    var named: Set<String> = []
    for id in Set(graph.columns.attributes.records.map(\.namesByLanguage)) where !id.isEmpty {
      for line in graph.text(id).split(separator: "\n") {
        guard let equals = line.firstIndex(of: "=") else { continue }
        let language = line[..<equals]
        named.insert(String(language.hasPrefix("ref:") ? language.dropFirst(4) : language))
      }
    }
    guard !named.contains(main) else {
      return
        "--language \(tag): texts are in en-US, and names in \(main) where the map contains them; "
        + "languages for texts: \(spoken.joined(separator: ", "))"
    }
    let names = named.isEmpty ? "none" : named.sorted().joined(separator: ", ")
    throw RouteCommandFault(
      "--language \(tag): neither texts nor names of the map exist in that language; texts: "
        + "\(spoken.joined(separator: ", ")); other languages of names in this map: \(names)")
  }
}
