/// The contents of Protocols/, resolved and with their positions in the files.
struct Contract {
  var words: [String: WordSet] = [:]
  var types: [String: Structure] = [:]
  var topics: [Topic] = []
  var calls: [Call] = []
  /// The operations of the control socket.
  var operations: [ControlOperation] = []
  /// Maps and lists in the operations, whose Swift types are written by hand.
  var records: [String: Structure] = [:]

  /// The structure of a field's type: one of types/, a record of control/, or the body of a topic.
  func structure(_ name: String) -> Structure? {
    types[name] ?? records[name] ?? topics.first { $0.name == name }.map(\.structure)
  }

  /// The structure whose fields are actually sent: a body is replaced by the structure that it
  /// names.
  func resolved(_ structure: Structure) -> Structure {
    guard let body = structure.body, let other = self.structure(body) else { return structure }
    return resolved(other)
  }
}

/// A position in a file of Protocols/, for error messages.
struct Place: Hashable, Comparable {
  var file: String
  var line: Int

  static func < (a: Place, b: Place) -> Bool { (a.file, a.line) < (b.file, b.line) }
}

/// An error at a position.
struct Problem: Hashable, Comparable {
  var place: Place
  var text: String

  static func < (a: Problem, b: Problem) -> Bool { (a.place, a.text) < (b.place, b.text) }
  var line: String { "\(place.file):\(place.line): \(text)" }
}

/// A set of words, one of which is sent as a string.
struct WordSet {
  var name: String
  var swiftName: String
  var about: String
  var values: [String]
  /// Whether a reader decodes an unknown word as `other`.
  var isOpen: Bool
  var place: Place
}

/// A map with known keys.
struct Structure {
  /// `route`, or the schema name of a message.
  var name: String
  var swiftName: String
  var about: String
  var fields: [Field] = []
  /// Name of the structure that provides this one's fields.
  var body: String?
  /// Whether all lists are columns of one table.
  var isColumns = false
  /// The word `op` of an operation of the control socket.
  ///
  /// Its map starts with it, and leaves out empty lists.
  var operation: String?
  /// Whether it is sent as a list of the values, in the order of the fields.
  var isPositional = false
  var example: Example?
  var place: Place
}

struct Field {
  var name: String
  var type: FieldType
  var unit: String?
  var minimum: Double?
  var maximum: Double?
  var about: String
  var isOptional: Bool
  var defaultValue: Value?
  var place: Place

  /// Whether absence from a message is an error.
  var isRequired: Bool {
    switch type {
    case .list, .map, .packed: false
    default: !isOptional && defaultValue == nil
    }
  }
}

indirect enum FieldType {
  case bool
  case i64
  case u64
  case f64
  case str
  case bytes
  case stamp
  /// A column of integers as bytes.
  case packed
  case words(WordSet)
  case structure(String)
  case list(FieldType, hasGaps: Bool)
  case map(FieldType)

  /// The type in the notation of the reference pages.
  var title: String {
    switch self {
    case .bool: "bool"
    case .i64: "i64"
    case .u64: "u64"
    case .f64: "f64"
    case .str: "str"
    case .bytes: "bytes"
    case .stamp: "stamp"
    case .packed: "packed"
    case .words(let set): set.name.isEmpty ? "enum" : set.name
    case .structure(let name): name
    case .list(let item, let hasGaps): "list of \(item.title)\(hasGaps ? " or nil" : "")"
    case .map(let item): "map of \(item.title)"
    }
  }

  /// The type inside all lists and maps.
  var innermost: FieldType {
    switch self {
    case .list(let item, _), .map(let item): item.innermost
    default: self
    }
  }
}

enum DeliveryClass: String, CaseIterable {
  case stream
  case state
  case event
}

struct Topic {
  /// `location/raw`.
  var name: String
  var version: String
  var deliveryClass: DeliveryClass
  /// Whether a reader queues each message of the stream instead of keeping the newest.
  var isSeenOneByOne: Bool
  /// The meaning of the key of a keyed state.
  var key: String?
  var expectHz: Double?
  var staleS: Double?
  /// Whether the writer may fall silent at any time, so that silence is no fault.
  var isPausing = false
  /// The topic whose rate this one has: one message for each message of that topic.
  var follows: String?
  var maxSizeBytes: Int
  var hasManyWriters: Bool
  var structure: Structure

  var schema: String { "\(structure.name)/\(version)" }
}

struct Call {
  /// `route/calculate`.
  var name: String
  var version: String
  var about: String
  var server: String
  var timeoutS: Double
  var maxSizeBytes: Int
  var errors: [String]
  var request: Structure
  var reply: Structure
  var place: Place

  /// `route_calculate`.
  var schemaName: String { wireName(name) }
}

/// One operation of the control socket.
struct ControlOperation {
  enum Sender: String, CaseIterable {
    case node
    case broker
    case both
  }

  /// `register`.
  var name: String
  /// The name of the table in `Protocols/control.md` that contains it.
  var section: String
  var sender: Sender
  /// The parts that follow the map; nil for none.
  var payload: String?
  var structure: Structure
}

/// The name of files and schemas for a topic such as `_node/<name>/status`: `node_status`.
func wireName(_ topic: String) -> String {
  topic.split(separator: "/").filter { !$0.hasPrefix("<") }
    .map { $0.hasPrefix("_") ? String($0.dropFirst()) : String($0) }.joined(separator: "_")
}

/// `speed_mps` as `speedMps`.
func lowerCamel(_ name: String) -> String {
  let words = name.split(separator: "_")
  return words.enumerated().map { $0.offset == 0 ? String($0.element) : capitalised($0.element) }
    .joined()
}

/// `route_waypoint` as `RouteWaypoint`.
func upperCamel(_ name: String) -> String {
  name.split { $0 == "_" || $0 == "/" }.map(capitalised).joined()
}

private func capitalised(_ word: Substring) -> String {
  word.prefix(1).uppercased() + word.dropFirst()
}
