import RoadGraph

/// Recognizes ways that are areas to walk across: squares, platforms, piers, car parks, yards.
///
/// https://wiki.openstreetmap.org/wiki/Key:area, Tag:public_transport=platform, Tag:man_made=pier
enum AreaTags {
  /// `platform`, `pier` or `parking` for ways without a road's `highway`; nil for all others.
  static func word(_ tags: OSMTags) -> String? {
    var word: String?
    for tag in tags.pairs {
      switch tag.key {
      case "highway" where tag.value != "platform": return nil
      case "highway": word = "platform"
      case "railway", "public_transport": if tag.value == "platform" { word = "platform" }
      case "man_made": if tag.value == "pier" { word = word ?? "pier" }
      case "amenity":
        if tag.value == "parking", isOnTheGround(tags) { word = word ?? "parking" }
      default: break
      }
    }
    return word
  }

  /// Whether a car park is neither a building nor below one.
  private static func isOnTheGround(_ tags: OSMTags) -> Bool {
    let kind = tags["parking"] ?? "surface"
    return kind == "surface" && (tags["building"] ?? "no") == "no"
  }

  /// Whether a closed way or a multipolygon with these tags is an area to walk across.
  static func isArea(_ tags: OSMTags) -> Bool {
    for tag in tags.pairs where tag.key == "area" {
      if tag.value == "no" { return false }
      if tag.value == "yes", tags["highway"] != nil { return RoadKind(tags) != nil }
    }
    return word(tags) != nil
  }
}
