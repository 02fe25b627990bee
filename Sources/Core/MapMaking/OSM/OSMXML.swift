/// Writes OSM objects as an .osm file.
public enum OSMXML {
  /// The whole file's text; objects in their order, nodes first.
  public static func text(_ data: OSMData) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<osm version=\"0.6\" generator=\"navstack\">\n"
    for node in data.nodes {
      let place = "lat=\"\(degrees(node.latitudeE7))\" lon=\"\(degrees(node.longitudeE7))\""
      element("node", "id=\"\(node.id)\" version=\"1\" \(place)", tagLines(node.tags), &text)
    }
    for way in data.ways {
      let nodes = way.nodes.map { "    <nd ref=\"\($0)\"/>\n" }.joined()
      element("way", "id=\"\(way.id)\" version=\"1\"", nodes + tagLines(way.tags), &text)
    }
    for relation in data.relations {
      let members = relation.members.map { member in
        "    <member type=\"\(member.kind)\" ref=\"\(member.id)\" role=\"\(escaped(member.role))\"/>\n"
      }.joined()
      element(
        "relation", "id=\"\(relation.id)\" version=\"1\"", members + tagLines(relation.tags), &text)
    }
    return text + "</osm>\n"
  }

  private static func element(
    _ name: String, _ attributes: String, _ content: String, _ text: inout String
  ) {
    text += "  <\(name) \(attributes)"
    text += content.isEmpty ? "/>\n" : ">\n\(content)  </\(name)>\n"
  }

  private static func tagLines(_ tags: OSMTags) -> String {
    tags.pairs.map { "    <tag k=\"\(escaped($0.key))\" v=\"\(escaped($0.value))\"/>\n" }.joined()
  }

  private static func degrees(_ e7: Int32) -> String {
    let magnitude = abs(Int(e7))
    let fraction = String(magnitude % 10_000_000)
    let padded = String(repeating: "0", count: 7 - fraction.count) + fraction
    return "\(e7 < 0 ? "-" : "")\(magnitude / 10_000_000).\(padded)"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for letter in text.unicodeScalars {
      switch letter {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      default: result.unicodeScalars.append(letter)
      }
    }
    return result
  }
}
