import Bag
import BusProtocol
import Foundation
import Fuzzing

/// Recordings that are cut, spliced, or lie about their lengths and places.
struct RecordingTarget: FuzzTarget {
  static let name = "recordings"
  static let about = "MCAP files: by their indexes and from start to end"

  /// Whole files: with and without compression, with and without checksums.
  private let files: [[UInt8]]
  /// Where the records of each file begin.
  private let records: [[Int]]
  private let path: String

  init(_ corpus: Corpus) throws {
    // In memory where there is such a place: a disk would be the slowest part by far.
    let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    path = "\(folder)/fuzz-recording-\(ProcessInfo.processInfo.processIdentifier).mcap"
    var files: [[UInt8]] = []
    for compression in [BagWriter.Compression.none, .zstd(level: 1)] {
      let file = try Self.recording(corpus, compression, path)
      files += [file, Self.withoutChecksums(file)]
    }
    self.files = files
    records = files.map(Self.places)
  }

  private static func recording(
    _ corpus: Corpus, _ compression: BagWriter.Compression, _ path: String
  ) throws -> [UInt8] {
    try? FileManager.default.removeItem(atPath: path)
    let writer = try FrameWriter(
      path: path, options: BagWriter.Options(compression: compression, chunkBytes: 600),
      schemaText: { _ in Array("{}".utf8) },
      deliveryClass: { $0.hasSuffix("state") ? .state : .event })
    try writer.write(BagMetadata(name: "session", entries: ["vehicles": "ego"]))
    try writer.write(
      BagAttachment(name: "stack.yaml", mediaType: "text/yaml", logTimeNS: 5, data: [1, 2, 3]))
    for number in 0..<12 {
      let header = Header(
        sequence: UInt64(number / 2 + 1), stampNS: Int64(number), source: "matcher", run: 7,
        schema: "location_raw/1.0", key: number % 3 == 0 ? "key" : nil, isLatched: number < 2)
      let frame = Frame(
        topic: number % 2 == 0 ? "ego/some/state" : "ego/some/event", header: header,
        payload: Array(corpus.example("location_raw").prefix(80)))
      try writer.write(frame, logTimeNS: 1_000 + Int64(number))
    }
    try writer.close()
    defer { try? FileManager.default.removeItem(atPath: path) }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  mutating func make(_ dice: inout Dice) -> [[UInt8]] {
    let index = dice.below(files.count)
    var bytes = files[index]
    for _ in 0...(dice.oneIn(2) ? 0 : dice.below(3)) {
      let place = dice.pick(records[index])
      switch dice.below(6) {
      // The length of a record, or a number within it.
      case 0: Self.set(&bytes, at: place + 1, 8, Self.number(&dice, bytes.count))
      case 1, 2:
        Self.set(
          &bytes, at: place + 9 + 4 * dice.below(16), dice.pick([2, 4, 8]),
          Self.number(&dice, bytes.count))
      case 3 where place < bytes.count: bytes[place] = UInt8(dice.below(18))
      case 4 where place < bytes.count:
        let other = dice.pick(records[index])
        bytes.insert(
          contentsOf: bytes[min(place, other)..<min(bytes.count, max(place, other))], at: place)
      default: ByteMutation.spoil(&bytes, with: files, &dice)
      }
    }
    return [bytes]
  }

  mutating func run(_ input: [[UInt8]]) throws(Broken) -> String {
    let bytes = input[0]
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    guard pwrite(file, bytes, bytes.count, 0) == bytes.count else {
      throw Broken("\(path) cannot be written")
    }
    let limits = BagLimits(chunkBytes: 1 << 20, recordBytes: 1 << 20)
    let byIndex = try outcome(bytes) { () throws(BagError) in
      let cursor = try Recording(path: path, limits: limits).frames(where: { _ in true })
      while try cursor.next() != nil {}
    }
    let inOrder = try outcome(bytes) { () throws(BagError) in
      let stream = try BagStream(path: path, limits: limits)
      while try stream.next() != nil {}
    }
    return byIndex && inOrder ? "read" : byIndex || inOrder ? "read_in_one_way" : "refused"
  }

  /// Whether it was read whole; an error must name its place, if only one that an index names.
  private func outcome(
    _ bytes: [UInt8], _ body: () throws(BagError) -> Void
  ) throws(Broken) -> Bool {
    do throws(BagError) {
      try body()
      return true
    } catch {
      try promise(
        error.byteOffset >= 0 && !error.description.isEmpty,
        "an error at byte \(error.byteOffset): \(error.description)")
      return false
    }
  }

  mutating func end() throws(Broken) { unlink(path) }
}

// The format as its specification tells it: opcode, length of 8 bytes, content.
extension RecordingTarget {
  /// Where records begin; chunks are looked into.
  private static func places(_ file: [UInt8]) -> [Int] {
    var places: [Int] = []
    var offset = 8
    while offset + 9 <= file.count - 8 {
      places.append(offset)
      // A chunk without compression holds records 40 bytes behind its own head.
      if file[offset] == 6, uint(file, offset + 37, 4) == 0 {
        var inner = offset + 49
        let end = inner + uint(file, offset + 41, 8)
        while inner + 9 <= end {
          places.append(inner)
          inner += 9 + uint(file, inner + 1, 8)
        }
      }
      offset += 9 + uint(file, offset + 1, 8)
    }
    return places
  }

  /// The same file with all checksums 0, which means that there are none.
  private static func withoutChecksums(_ file: [UInt8]) -> [UInt8] {
    var bytes = file
    var offset = 8
    while offset + 9 <= file.count - 8 {
      switch file[offset] {
      case 2: set(&bytes, at: offset + 9 + 16, 4, 0)
      case 6: set(&bytes, at: offset + 9 + 24, 4, 0)
      case 15: set(&bytes, at: offset + 9, 4, 0)
      default: break
      }
      offset += 9 + uint(file, offset + 1, 8)
    }
    return bytes
  }

  private static func uint(_ bytes: [UInt8], _ at: Int, _ width: Int) -> Int {
    guard at + width <= bytes.count else { return 0 }
    return (0..<width).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
  }

  private static func set(_ bytes: inout [UInt8], at: Int, _ width: Int, _ value: UInt64) {
    guard at + width <= bytes.count else { return }
    for index in 0..<width {
      bytes[at + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }

  private static func number(_ dice: inout Dice, _ size: Int) -> UInt64 {
    dice.oneIn(2) ? ByteMutation.extreme(&dice) : UInt64(dice.below(size + 2))
  }
}
