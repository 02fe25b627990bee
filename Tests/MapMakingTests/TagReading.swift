import RoadGraph

@testable import MapMaking

/// Reads the tags of one way, as `key=value key=value`.
struct TagReading {
  let road: RoadTags?
  let texts: TextTable

  init(_ tags: OSMTags, options: MapOptions = MapOptions()) {
    var texts = TextTable()
    road = RoadTags(tags, options: options, texts: &texts)
    self.texts = texts
  }

  var forward: RoadAttributes? { road?.forward }
  var backward: RoadAttributes? { road?.backward }

  func text(_ id: TextID?) -> String? {
    guard let id else { return nil }
    let k = Int(id.rawValue)
    return String(
      decoding: texts.bytes[Int(texts.first[k])..<Int(texts.first[k + 1])], as: UTF8.self)
  }
}

extension OSMTags {
  /// `key=value key=value`.
  init(words: String) {
    self.init(
      words.split(separator: " ").map { word in
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        return Tag(key: parts[0], value: parts.count > 1 ? parts[1] : "")
      })
  }
}
