public import RoadGraph

/// A colour of the map or the route that replaces the one of the style.
public struct SceneColour: Codable, Hashable, Sendable {
  /// One of `names`.
  public var name: String
  public var value: ARGB
  /// Only while a route of this mode is followed; nil for always.
  public var mode: TravelMode?

  public init(name: String, value: ARGB, mode: TravelMode? = nil) {
    self.name = name
    self.value = value
    self.mode = mode
  }

  /// The colours of the page's style.
  ///
  /// They are repeated here because a renderer without a page must know them; a test compares them
  /// with the style.
  public static let names: Set<String> = [
    "ahead", "ahead-edge", "alternative", "alternative-edge", "apron", "arrow", "arrow-edge",
    "behind", "behind-edge", "border", "bridge-edge", "building", "building-edge", "closed",
    "farmland", "ferry", "grass", "halo", "industrial", "institution", "jam", "label", "land",
    "motorway", "motorway-edge", "off-road", "park", "path", "place", "primary", "primary-edge",
    "railway", "residential", "sand", "secondary", "shield", "shield-edge", "shield-ink", "slow",
    "street", "street-edge", "tunnel", "tunnel-edge", "water", "wood",
  ]
}
