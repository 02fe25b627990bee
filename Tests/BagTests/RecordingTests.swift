import Bag
import BusProtocol
import Foundation
import Testing

@Suite struct RecordingTests {
  let file = DrawnFile()
  let drawn = DrawnRecording.frames(1_000)

  @Test(arguments: [BagWriter.Compression.none, .zstd(level: 1)])
  func `each message comes back whole, header and all, BUS-7`(
    _ compression: BagWriter.Compression
  ) throws {
    try DrawnRecording.write(
      drawn, to: file.path, options: .init(compression: compression, chunkBytes: 4_096))
    let recording = try Recording(path: file.path)
    #expect(recording.isIndexed && recording.header.profile == "nav")
    #expect(try DrawnRecording.read(recording.frames()) == drawn)
  }

  @Test func `a time and some topics are found through the indexes`() throws {
    try DrawnRecording.write(drawn, to: file.path)
    let recording = try Recording(path: file.path)
    for (from, to) in [(1_000_000_000, 1_000_000_000), (2_500_000_000, 4_000_000_001), (0, 5)] {
      let times = Int64(from)...Int64(to)
      for topics in [["ego/topic1"], ["ego/topic0", "ego/topic4"], [], ["ego/other"]] {
        let found = try DrawnRecording.read(
          recording.frames(where: { topics.contains($0) }, during: times))
        #expect(
          found
            == drawn.filter { times.contains($0.logTimeNS) && topics.contains($0.frame.topic) })
      }
    }
  }

  @Test func `states before a time are the last of each key`() throws {
    try DrawnRecording.write(drawn, to: file.path)
    let before: Int64 = 4_000_000_000
    var last: [String: RecordedFrame] = [:]
    for one in drawn where one.frame.topic == "ego/topic2" && one.logTimeNS < before {
      last[one.frame.header.key ?? ""] = one
    }
    let found = try Recording(path: file.path).states(before: before)
    #expect(found == last.values.sorted { $0.logTimeNS < $1.logTimeNS })
    #expect(found.count > 1)
  }

  @Test func `a part without its end is read up to its last whole chunk`() throws {
    try DrawnRecording.write(drawn, to: file.path)
    let whole = try file.bytes
    try file.put(Array(whole.prefix(whole.count / 2)))
    let recording = try Recording(path: file.path)
    #expect(!recording.isIndexed)
    let cursor = try recording.frames()
    var found: [RecordedFrame] = []
    var why: BagError?
    do throws(BagError) {
      while let frame = try cursor.next() { found.append(frame) }
    } catch { why = error }
    #expect(why?.isTruncation == true)
    #expect(found.count > 100 && found == Array(drawn.prefix(found.count)))
  }
}
