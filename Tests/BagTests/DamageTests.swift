import Bag
import BusProtocol
import Foundation
import Foundations
import Testing

/// Files that are cut, changed or made up: never a crash, always a place.
@Suite struct DamageTests {
  let file = DrawnFile()
  let drawn = DrawnRecording.frames(14)

  /// All messages before the damage, and what the damage is.
  private func stream(_ path: String) -> (messages: [BagMessage], error: BagError?) {
    var messages: [BagMessage] = []
    do throws(BagError) {
      let stream = try BagStream(path: path)
      while let message = try stream.nextMessage() { messages.append(message) }
      return (messages, nil)
    } catch {
      return (messages, error)
    }
  }

  private func indexed(_ path: String) -> (frames: [RecordedFrame], error: BagError?) {
    var frames: [RecordedFrame] = []
    do throws(BagError) {
      let cursor = try Recording(path: path).frames(where: { $0 != "ego/topic3" })
      while let frame = try cursor.next() { frames.append(frame) }
      return (frames, nil)
    } catch {
      return (frames, error)
    }
  }

  @Test func `a file cut at any byte gives the messages before the cut, and its place`() throws {
    try DrawnRecording.write(drawn, to: file.path)
    let whole = try file.bytes
    let (all, none) = stream(file.path)
    #expect(none == nil && all.count > drawn.count)
    var most = 0
    for count in 0..<whole.count {
      try file.put(Array(whole.prefix(count)))
      let (messages, error) = stream(file.path)
      #expect(error?.isTruncation == true, "cut to \(count) bytes")
      #expect((0...count).contains(error?.byteOffset ?? -1))
      #expect(messages == Array(all.prefix(messages.count)) && messages.count >= most)
      most = messages.count
    }
    #expect(most == all.count)
  }

  @Test(arguments: [0xFF, 0x01] as [UInt8])
  func `a byte changed anywhere gives what was there, or an error with its byte`(_ mask: UInt8)
    throws
  {
    try DrawnRecording.write(drawn, to: file.path)
    let whole = try file.bytes
    let (all, _) = stream(file.path)
    let payloads = Set(all.map(\.payload))
    var unseen = 0
    for k in whole.indices {
      var changed = whole
      changed[k] ^= mask
      try file.put(changed)
      let (messages, error) = stream(file.path)
      if let error { #expect((0...whole.count).contains(error.byteOffset)) }
      if error == nil, messages == all { unseen += 1 }
      // A damaged payload never passes for a whole one.
      for message in messages where !payloads.contains(message.payload) {
        Issue.record("byte \(k): a payload that was never written")
      }
      let (frames, second) = indexed(file.path)
      if let second { #expect((0...whole.count).contains(second.byteOffset)) }
      for frame in frames where !payloads.contains(frame.frame.payload) {
        Issue.record("byte \(k), indexed: a payload that was never written")
      }
    }
    // Fields that no message depends on: the summary and the indexes, which the stream passes over.
    #expect(unseen < whole.count * 2 / 3)
  }

  @Test func `a file of another kind is refused at its first byte`() throws {
    try file.put(Array("this is no recording, not at all".utf8))
    let error = #expect(throws: BagError.self) { try BagStream(path: file.path) }
    #expect(error == BagError(reason: .wrongMagic, path: file.path, byteOffset: 0))
    #expect(throws: BagError.self) { try Recording(path: file.path) }
    #expect(throws: BagError.self) { try Recording(path: "/") }
    #expect(throws: BagError.self) { try Recording(path: file.path + ".none") }
  }

  @Test func `a chunk that promises more than the limit is refused before memory is taken`() throws
  {
    let zeros = BagMessage(
      channelID: 1, sequence: 1, logTimeNS: 1, publishTimeNS: 1,
      payload: [UInt8](repeating: 0, count: 50 << 20))
    let writer = try BagWriter(path: file.path)
    _ = try writer.addChannel(topic: "x")
    try writer.write(zeros)
    try writer.close()
    #expect(try file.bytes.count < 1 << 20)
    let stream = try BagStream(path: file.path, limits: BagLimits(chunkBytes: 1 << 20))
    let error = #expect(throws: BagError.self) { try stream.next() }
    guard case .tooLarge("uncompressed_size", _, 1 << 20) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(throws: BagError.self) { try stream.next() }
    // One that promises less than it gives is stopped, too: 8 bytes at the chunk's third field.
    var bytes = try file.bytes
    let field = (error?.byteOffset ?? 0) + 9 + 16
    bytes.replaceSubrange(field..<field + 8, with: [100, 0, 0, 0, 0, 0, 0, 0])
    try file.put(bytes)
    let small = try BagStream(path: file.path)
    let second = #expect(throws: BagError.self) { try small.next() }
    guard case .badCompression = second?.reason else {
      Issue.record("\(String(describing: second))")
      return
    }
  }

  @Test func `records that are not known are skipped`() throws {
    try DrawnRecording.write(drawn, to: file.path)
    let (all, _) = stream(file.path)
    var bytes = try file.bytes
    let afterHeader = 8 + 9 + 4 + 3 + 4 + 8
    bytes.insert(contentsOf: [0x80, 2, 0, 0, 0, 0, 0, 0, 0, 7, 7], at: afterHeader)
    try file.put(bytes)
    #expect(stream(file.path).messages == all)
    bytes[afterHeader] = 0
    try file.put(bytes)
    #expect(
      stream(file.path).error
        == BagError(
          reason: .unexpectedRecord(opcode: 0), path: file.path, byteOffset: afterHeader))
  }

  @Test func `what has no place in the format is refused and the file stays whole`() throws {
    let writer = try BagWriter(path: file.path)
    let message = BagMessage(
      channelID: 1, sequence: 1, logTimeNS: 1, publishTimeNS: 1, payload: [1])
    #expect(throws: BagError.self) { try writer.write(message) }
    #expect(throws: BagError.self) { try writer.addChannel(topic: "x", schema: 1) }
    _ = try writer.addChannel(topic: "x")
    try writer.write(message)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(throws: BagError.self) { try BagWriter(path: file.path) }
    try writer.close()
    #expect(!FileManager.default.fileExists(atPath: file.path + ".part"))
    #expect(throws: BagError.self) { try writer.write(message) }
    #expect(throws: BagError.self) { try writer.close() }
    #expect(stream(file.path).messages == [message])
  }

  /// The file with all its checksums taken out, so that damage gets past them.
  private func unchecked(_ bytes: [UInt8], _ chunks: [BagChunkIndex]) -> [UInt8] {
    var bytes = bytes
    func clear(_ place: Int) { bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0, 0]) }
    for chunk in chunks { clear(chunk.offset + 9 + 24) }
    clear(bytes.count - 12)
    return bytes
  }

  @Test(arguments: [BagWriter.Compression.none, .zstd(level: 1)])
  func `without checksums a damaged file still harms nobody`(
    _ compression: BagWriter.Compression
  ) throws {
    let saved = DrawnFile()
    try DrawnRecording.write(
      DrawnRecording.frames(40), to: file.path,
      options: .init(compression: compression, chunkBytes: 1_024))
    let chunks = try BagReader(path: file.path).summary.chunks
    let whole = unchecked(try file.bytes, chunks)
    var generator = SplitMix64(seed: 0xBAD_F11E)
    for round in 0..<3_000 {
      var changed = whole
      let place = Int(generator.next() % UInt64(whole.count))
      // A length or offset becomes something else, or nearly the same, or huge.
      switch round % 4 {
      case 0: changed[place] = UInt8(truncatingIfNeeded: generator.next())
      case 1: changed[place] &+= 1
      case 2: for k in place..<min(place + 8, whole.count) { changed[k] = 0xFF }
      default: for k in place..<min(place + 8, whole.count) { changed[k] = 0 }
      }
      try file.put(changed)
      for error in [stream(file.path).error, indexed(file.path).error].compactMap(\.self) {
        #expect((0...whole.count).contains(error.byteOffset))
      }
      let check = BagVerification.check(path: file.path)
      #expect(check.problems.allSatisfy { (0...whole.count).contains($0.byteOffset) })
      if round % 10 == 0 {
        _ = try BagRecovery.recover(from: file.path, to: saved.path)
        #expect(BagVerification.check(path: saved.path).problems == [], "round \(round)")
      }
    }
  }
}
