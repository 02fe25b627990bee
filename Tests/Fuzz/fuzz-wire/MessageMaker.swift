import BusProtocol
import Fuzzing
import MessagePack
import Messages

/// Makes messages as nodes publish them, and spoils them.
struct MessageMaker {
  /// The topics of the contract, with one word where a name varies.
  private let topics: [(name: String, schema: String, payload: [UInt8])]
  private let payloads: [[UInt8]]
  private let headers: [[UInt8]]

  init(_ corpus: Corpus) {
    topics = Topics.all.map {
      let leaf = $0.name.replacing("<name>", with: "matcher").replacing("<node>", with: "matcher")
      return (leaf.hasPrefix("_") ? leaf : "ego/\(leaf)", $0.schema, corpus.example($0.schema))
    }
    payloads = topics.map(\.payload)
    headers = [Self.header("location_raw/1.0", sequence: 1, source: "location").encoded()]
  }

  /// The contract's topics, as a broker knows them.
  static let table = TopicTable(
    Topics.all.map {
      TopicTraits(
        $0.name, DeliveryClass(rawValue: $0.deliveryClass.rawValue) ?? .stream,
        maximumBytes: $0.maxSizeBytes, hasManyWriters: $0.hasManyWriters,
        isSeenOneByOne: $0.isSeenOneByOne)
    })

  private static func header(_ schema: String, sequence: UInt64, source: String) -> Header {
    Header(
      sequence: sequence, stampNS: 1_790_000_000_000_000_000, source: source, run: 7,
      schema: schema,
      cause: Origin(topic: "location/raw", source: "location", run: 7, sequence: 1), key: "ego",
      id: "0001", ttlMS: 1_000, wallNS: 1_790_000_000_000_000_000, deliveryClass: .event)
  }

  /// A message that is good, but for its numbers.
  func good(_ dice: inout Dice) -> [[UInt8]] {
    let topic = dice.pick(topics)
    let sequence = dice.oneIn(8) ? max(1, ByteMutation.extreme(&dice)) : UInt64(1 + dice.below(64))
    var header = Self.header(
      topic.schema, sequence: sequence, source: dice.pick(["location", "matcher", "vandal"]))
    header.run = dice.oneIn(8) ? ByteMutation.extreme(&dice) : UInt64(1 + dice.below(3))
    header.stampNS = dice.oneIn(8) ? Int64(bitPattern: ByteMutation.extreme(&dice)) : header.stampNS
    header.isLatched = dice.oneIn(8)
    if dice.oneIn(2) { (header.key, header.cause, header.id) = (nil, nil, nil) }
    if dice.oneIn(4) { header.key = "k\(dice.below(8))" }
    return [Array(topic.name.utf8), header.encoded(), dice.oneIn(8) ? [] : topic.payload]
  }

  /// A message in one part, as nodes and broker speak among themselves: topic, a zero, the header's
  /// length, header, payload; mostly spoilt.
  func joined(_ dice: inout Dice) -> [[UInt8]] {
    let parts = dice.oneIn(4) ? good(&dice) : spoilt(&dice)
    let header = parts.count > 1 ? parts[1] : []
    let reported =
      dice.oneIn(8) ? UInt32(truncatingIfNeeded: ByteMutation.extreme(&dice)) : UInt32(header.count)
    var bytes = (parts.first ?? []) + [0]
    withUnsafeBytes(of: reported.bigEndian) { bytes += $0 }
    bytes += header + (parts.count > 2 ? parts[2] : [])
    if dice.oneIn(4) { ByteMutation.spoil(&bytes, with: headers, &dice) }
    return [bytes]
  }

  /// A message of which mostly one part is spoilt.
  func spoilt(_ dice: inout Dice) -> [[UInt8]] {
    var parts = good(&dice)
    switch dice.below(16) {
    case 0...5: WireMutation.spoil(&parts[1], with: headers + payloads, &dice)
    case 6...8: ByteMutation.spoil(&parts[0], with: topics.map { Array($0.name.utf8) }, &dice)
    case 9...11: WireMutation.spoil(&parts[2], with: payloads, &dice)
    case 12: parts.remove(at: dice.below(parts.count))
    case 13: parts.append(parts[dice.below(parts.count)])
    case 14: parts[dice.below(parts.count)] = []
    default: break
    }
    return parts
  }
}
