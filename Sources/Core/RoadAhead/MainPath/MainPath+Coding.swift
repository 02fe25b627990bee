import RoadGraph

extension MainPath: Codable {
  private enum CodingKeys: CodingKey {
    case edges, startsM, current, positionM, endM, routeStart
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    edges = try container.decode([UInt32].self, forKey: .edges).map { EdgeID(rawValue: $0) }
    startsM = try container.decode([Double].self, forKey: .startsM)
    current = try container.decode(Int.self, forKey: .current)
    positionM = try container.decode(Double.self, forKey: .positionM)
    endM = try container.decodeIfPresent(Double.self, forKey: .endM)
    routeStart = try container.decodeIfPresent(Int.self, forKey: .routeStart)
    guard startsM.count == edges.count + 1, edges.indices.contains(current) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a path without its length"))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(edges.map(\.rawValue), forKey: .edges)
    try container.encode(startsM, forKey: .startsM)
    try container.encode(current, forKey: .current)
    try container.encode(positionM, forKey: .positionM)
    try container.encodeIfPresent(endM, forKey: .endM)
    try container.encodeIfPresent(routeStart, forKey: .routeStart)
  }
}
