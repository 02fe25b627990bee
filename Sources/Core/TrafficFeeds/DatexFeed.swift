import Documents
import Foundations

/// Reads incidents from a DATEX II SituationPublication, version 3 or 2.
///
/// Elements are matched by local name. Each record becomes an incident, with a note on everything
/// that cannot be read. Names and values follow the schemas 3.7 and 2.3 of datex2.eu.
public enum DatexFeed {
  /// The incidents of a document; texts are in `language` if available, otherwise in that of the
  /// publication.
  ///
  /// Linear; one situation is in memory at a time.
  ///
  /// - Throws: `FeedFault` if the text is not XML or has no SituationPublication.
  public static func read(
    _ bytes: [UInt8], language: String? = nil
  ) throws(FeedFault) -> FeedDocument {
    var reader = DatexReader(language: language)
    let root: XMLNode
    do throws(DocumentFault) {
      let text = try DocumentText.utf8(bytes)
      root = try XMLNode.forEach("situation", in: text) { reader.read($0, around: $1) }
    } catch {
      throw FeedFault("\(error)")
    }
    let publications = publications(in: root)
    guard let first = publications.first else {
      throw FeedFault("the root element is <\(root.name)>; a DATEX II publication is expected")
    }
    guard let publication = publications.first(where: { $0.type == "SituationPublication" }) else {
      throw FeedFault(
        "it contains a \(first.type ?? "publication without xsi:type"), which is not supported; "
          + "a SituationPublication is expected")
    }
    reader.readHead(publication)
    return reader.document
  }

  /// The publications of a document: `payload` of version 3, `payloadPublication` of version 2, in any envelope.
  private static func publications(in node: XMLNode) -> [XMLNode] {
    if ["payload", "payloadPublication"].contains(node.name) { return [node] }
    return node.children.flatMap { publications(in: $0) }
  }
}

/// Collects the incidents of a publication, situation by situation.
private struct DatexReader {
  let language: String?
  private(set) var document = FeedDocument()
  /// By record id: situation, version, and place in the document.
  private var known: [String: (situation: String, version: Int, place: Int)] = [:]

  init(language: String?) { self.language = language }

  mutating func readHead(_ publication: XMLNode) {
    document.published = publication["publicationTime"].flatMap { TimeText.iso8601($0.text) }
    document.country = publication.node("publicationCreator", "country")
      .map { $0.text.uppercased() }
  }

  mutating func read(_ situation: XMLNode, around: [XMLNode]) {
    let id = situation.attributes["id"] ?? "without id"
    let status = situation.node("headerInformation", "informationStatus")?.text
    guard status == nil || status == "real" else {
      document.notes.append(
        FeedProblem("situation \(id)", .notReal, "its information status is \(status ?? "")"))
      return
    }
    if let publication = around.last { readHead(publication) }
    let languages = [language, around.last?.attributes["lang"]].compactMap { $0 }
    for record in situation.all("situationRecord") {
      var reader = DatexRecord(
        record, situation: situation, languages: languages, published: document.published)
      let incident = reader.incident()
      document.notes += reader.notes
      if let incident { add(incident, record, situation: id) }
    }
  }

  /// Keeps the newest version of a record.
  ///
  /// Records of different situations with the same id stay separate.
  private mutating func add(_ incident: FeedIncident, _ record: XMLNode, situation: String) {
    var incident = incident
    let version = record.attributes["version"].flatMap { Int($0) } ?? 0
    if let other = known[incident.id], other.situation != situation {
      incident.id = "\(situation)/\(incident.id)"
    }
    if let other = known[incident.id] {
      let note = "the record \(incident.id) exists in several versions; the newest is used"
      document.notes.append(FeedProblem("situation \(situation)", .repeated, note))
      guard version > other.version else { return }
      document.incidents[other.place] = incident
      known[incident.id] = (situation, version, other.place)
      return
    }
    known[incident.id] = (situation, version, document.incidents.count)
    document.incidents.append(incident)
  }
}
