import RoadGraph

/// The modes that pay toll.
enum TollTags {
  /// Whether the tags describe toll at all.
  static func areSpokenOf(_ tags: OSMTags) -> Bool {
    tags.hasKey(startingWith: "toll")
      && tags.pairs.contains {
        $0.key == "toll" || $0.key.hasPrefix("toll:")
      }
  }

  /// The modes that pay at a booth or gantry: all motor vehicles if its tags do not describe it.
  static func modes(atBooth tags: OSMTags) -> TravelModes {
    areSpokenOf(tags) ? modes(tags) : .motorised
  }

  /// The modes that pay, by the most specific key that applies to each.
  static func modes(_ tags: OSMTags) -> TravelModes {
    // Most roads have no toll, and building the keys takes longer than looking for one.
    guard areSpokenOf(tags) else { return [] }
    var modes: TravelModes = []
    for mode in TravelMode.allCases {
      var pays = tags.isYes("toll") && mode.isMotorised
      for key in AccessTags.keys(mode) where key != "access" {
        switch tags["toll:\(key)"] {
        case "no": pays = false
        case .some: pays = tags.isYes("toll:\(key)")
        case nil: break
        }
      }
      if mode == .truck, let value = tags["toll:N3"] ?? tags["toll:N2"] { pays = value == "yes" }
      if pays { modes.insert(TravelModes(mode)) }
    }
    return modes
  }
}
