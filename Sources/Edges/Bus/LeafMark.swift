/// A number for what a topic is about, whosever it is: the same for `car1/location/raw` and
/// `car2/location/raw`.
///
/// libzmq filters by how a message begins. A joined message begins with this mark, so that a reader
/// of one topic of every vehicle is sent that alone. It is the 32-bit FNV-1a hash of what comes
/// after the first `/`, and 0 for topics of the system and for those without a `/`; two topics of
/// one mark only mean that a reader drops what it did not want.
struct LeafMark: Hashable {
  static let byteCount = MemoryLayout<UInt32>.size
  private static let basis: UInt32 = 2_166_136_261
  private static let prime: UInt32 = 16_777_619

  let number: UInt32

  init(_ number: UInt32) { self.number = number }

  /// The mark of a topic by its name's bytes; costs a nanosecond for each.
  init(of topic: UnsafeRawBufferPointer) {
    guard let first = topic.first, first != UInt8(ascii: "_"),
      let slash = topic.firstIndex(of: UInt8(ascii: "/"))
    else {
      self.init(0)
      return
    }
    self.init(ofLeaf: UnsafeRawBufferPointer(rebasing: topic[(slash + 1)...]))
  }

  private init(ofLeaf leaf: UnsafeRawBufferPointer) {
    var hash = Self.basis
    for byte in leaf { hash = (hash ^ UInt32(byte)) &* Self.prime }
    self.init(hash)
  }

  /// What a reader of a pattern asks of libzmq: how the joined messages begin that it wants.
  ///
  /// For a subtree of a vehicle these are all messages, since each of its topics has another mark.
  static func beginning(of pattern: String) -> [UInt8] {
    if pattern.hasPrefix(TopicName.everyVehicle) { return mark(of: pattern).bytes }
    let isOfVehicles = !pattern.hasPrefix("_")
    if pattern.isEmpty || (isOfVehicles && pattern.hasSuffix("/")) { return [] }
    return mark(of: pattern).bytes + pattern.utf8
  }

  /// The pattern of the system's topics that a subscription stands for; nil where it is another's.
  static func systemPattern(ofBeginning bytes: [UInt8]) -> String? {
    guard bytes.starts(with: LeafMark(0).bytes) else { return nil }
    return String(decoding: bytes.dropFirst(byteCount), as: UTF8.self)
  }

  private static func mark(of pattern: String) -> LeafMark {
    Array(pattern.utf8).withUnsafeBytes { LeafMark(of: $0) }
  }

  var bytes: [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
