import Bag
import Foundation
import Foundations
import Testing

@Suite struct VerificationTests {
  let file = DrawnFile()
  let saved = DrawnFile()
  let drawn = DrawnRecording.frames(400)

  @Test func `a sound file has no problem, and its counts are right`() throws {
    try DrawnRecording.write(drawn, to: file.path)
    let check = BagVerification.check(path: file.path)
    #expect(check.problems == [])
    #expect(check.statistics.messageCount > 400 && check.statistics.chunkCount > 5)
    #expect(check.statistics.attachmentCount == 1 && check.statistics.metadataCount == 1)
  }

  @Test func `no byte of a file can change unseen`() throws {
    try DrawnRecording.write(DrawnRecording.frames(6), to: file.path)
    let whole = try file.bytes
    for k in whole.indices {
      var changed = whole
      changed[k] ^= 0x10
      try file.put(changed)
      let check = BagVerification.check(path: file.path)
      #expect(!check.problems.isEmpty, "byte \(k) of \(whole.count)")
      #expect(check.problems.allSatisfy { (0...whole.count).contains($0.byteOffset) })
    }
  }

  @Test func `a sound file is saved whole`() throws {
    try DrawnRecording.write(drawn, to: file.path)
    let found = try BagRecovery.recover(from: file.path, to: saved.path)
    #expect(found.damage == [] && found.skippedBytes == 0 && found.attachments == 1)
    #expect(BagVerification.check(path: saved.path).problems == [])
    #expect(try DrawnRecording.read(Recording(path: saved.path).frames()) == drawn)
    #expect(try Recording(path: saved.path).header == Recording(path: file.path).header)
  }

  @Test func `a cut file is saved up to its last whole chunk`() throws {
    try DrawnRecording.write(drawn, to: file.path)
    let whole = try file.bytes
    var generator = SplitMix64(seed: 0xB0A7)
    for _ in 0..<40 {
      let count = Int(generator.next() % UInt64(whole.count - 60)) + 50
      try file.put(Array(whole.prefix(count)))
      let found = try BagRecovery.recover(from: file.path, to: saved.path)
      #expect(found.damage.count == 1, "cut to \(count)")
      #expect(BagVerification.check(path: saved.path).problems == [])
      let frames = try DrawnRecording.read(Recording(path: saved.path).frames())
      #expect(frames == Array(drawn.prefix(frames.count)))
    }
  }

  @Test func `damage costs no more than the chunks that it is in`() throws {
    try DrawnRecording.write(drawn, to: file.path)
    let whole = try file.bytes
    let chunks = try BagReader(path: file.path).summary.chunks
    var generator = SplitMix64(seed: 0xDA6E)
    for round in 0..<60 {
      var changed = whole
      let size = [1, 9, 300][round % 3]
      let start = Int(generator.next() % UInt64(whole.count - size))
      for k in start..<start + size { changed[k] = UInt8(truncatingIfNeeded: generator.next()) }
      try file.put(changed)
      let found = try BagRecovery.recover(from: file.path, to: saved.path)
      #expect(BagVerification.check(path: saved.path).problems == [], "byte \(start)")
      let frames = Set(try DrawnRecording.read(Recording(path: saved.path).frames()))
      let sound = chunks.filter { $0.offset + $0.length <= start || $0.offset >= start + size }
      // All that is in sound chunks is there; of the others nothing that was never recorded.
      let times = Set(frames.map { UInt64($0.logTimeNS) })
      for one in drawn where found.nameless == 0 {
        let isSound = sound.contains {
          ($0.startTimeNS...$0.endTimeNS).contains(UInt64(one.logTimeNS))
        }
        if isSound, !times.contains(UInt64(one.logTimeNS)) {
          Issue.record("byte \(start): \(one.logTimeNS) is lost")
        }
      }
      #expect(frames.isSubset(of: Set(drawn)))
    }
  }
}
