/// What a route relation reports of one number of a road: its network and its signed direction.
public struct RouteRelationNumber: Hashable, Sendable {
  /// In OSM notation: `US:I`; nil if the number's text determines it as well.
  public var network: String?
  /// `north`, `east`; nil if unknown.
  public var direction: String?

  public init(network: String? = nil, direction: String? = nil) {
    self.network = network
    self.direction = direction
  }

  public var isEmpty: Bool { network == nil && direction == nil }

  /// Encodes routes in the order of a road's numbers as one text, as stored in a map; empty for
  /// none.
  ///
  /// Numbers are separated by `;`, and `|` follows a network: `US:I|north;west`. A network that
  /// contains one of these characters is left out.
  public static func encode(_ routes: [RouteRelationNumber]) -> String {
    var parts = routes.map { route in
      let network = route.network ?? ""
      let isClean = !network.isEmpty && !network.contains { "|;\n".contains($0) }
      return (isClean ? network + "|" : "") + (route.direction ?? "")
    }
    while parts.last?.isEmpty == true { parts.removeLast() }
    return parts.joined(separator: ";")
  }

  /// Decodes the output of `encode`.
  public static func decode(_ text: String) -> [RouteRelationNumber] {
    if text.isEmpty { return [] }
    return text.split(separator: ";", omittingEmptySubsequences: false).map { part in
      guard let cut = part.firstIndex(of: "|") else {
        return RouteRelationNumber(direction: part.isEmpty ? nil : String(part))
      }
      let direction = part[part.index(after: cut)...]
      return RouteRelationNumber(
        network: cut == part.startIndex ? nil : String(part[..<cut]),
        direction: direction.isEmpty ? nil : String(direction))
    }
  }
}
