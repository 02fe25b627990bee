import Bus
import EventTime
import Foundation
import Glibc
import Harness
import MessagePack
import NodeKit
import Stage

/// Writes messages as MessagePack arrays [topic, header, payload], one after the other.
///
/// Beside the file first; renamed when it is whole.
final class DriveRecorder {
  private let path: String
  private let file: FileHandle

  init(path: String) throws {
    self.path = path
    guard FileManager.default.createFile(atPath: path + ".part", contents: nil),
      let file = FileHandle(forWritingAtPath: path + ".part")
    else { throw Problem("\(path): cannot be written") }
    self.file = file
  }

  func write(_ message: PublishedMessage) {
    let header = Header(
      sequence: message.sequence, stampNS: message.stamp.nanoseconds, source: message.source,
      run: message.run, schema: message.schema,
      cause: message.cause.map {
        Origin(topic: $0.topic, source: $0.source, run: $0.run, sequence: $0.sequence)
      }, key: message.key, ttlMS: message.ttlMS)
    var packer = Packer()
    packer.packArrayHeader(3)
    packer.pack(message.name)
    packer.pack(bytes: header.encoded())
    packer.pack(bytes: message.payload)
    file.write(Data(packer.bytes))
  }

  func close() throws {
    try file.close()
    guard rename(path + ".part", path) == 0 else { throw Problem("\(path): cannot be written") }
  }
}
