import RoadGraph
import Speech

extension RouteCommand {
  /// Checks that the map or the texts are in the language of `--language`.
  ///
  /// The languages of names are those that the map contains.
  static func checkLanguage(_ tag: String, on graph: RoadGraph) throws(RouteCommandFault) {
    let main = String(tag.lowercased().prefix { $0 != "-" && $0 != "_" })
    let spoken = Languages.all.map(\.tag)
    let isSpoken = spoken.contains {
      $0.lowercased().split(separator: "-").first.map(String.init) == main
    }
    guard !isSpoken else { return }
    var named: Set<String> = []
    for id in Set(graph.columns.attributes.records.map(\.namesByLanguage)) where !id.isEmpty {
      for line in graph.text(id).split(separator: "\n") {
        guard let equals = line.firstIndex(of: "=") else { continue }
        let language = line[..<equals]
        named.insert(String(language.hasPrefix("ref:") ? language.dropFirst(4) : language))
      }
    }
    guard !named.contains(main) else { return }
    let names = named.isEmpty ? "none" : named.sorted().joined(separator: ", ")
    throw RouteCommandFault(
      "--language \(tag): neither a text nor a name of the map is in that language; texts: "
        + "\(spoken.joined(separator: ", ")); further names in this map: \(names)")
  }
}
