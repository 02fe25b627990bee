import Bag
import BusProtocol
public import Digest
import Foundation
public import Harness

/// The record of a run in lock-step: its digests, and its comparison with another run.
public final class RunRecord {
  /// Another run: its digests, or its recording.
  private enum Expected {
    case sheet(DigestList, path: String)
    case recording(Comparison, RecordedRun)
  }

  private var digests = TopicDigests()
  private let expected: Expected?
  private var problem: ReplayProblem?

  /// - Parameter expect: path of a digest sheet or of a recording (`.mcap`); nil for none.
  /// - Throws: `ReplayProblem` if that cannot be read.
  public init(expect: String? = nil) throws(ReplayProblem) {
    guard let expect else {
      expected = nil
      return
    }
    if expect.hasSuffix(".mcap") {
      expected = .recording(Comparison(), try RecordedRun(path: expect))
      return
    }
    guard let data = FileManager.default.contents(atPath: expect) else {
      throw ReplayProblem("\(expect): cannot be read")
    }
    do {
      expected = .sheet(
        try DigestList(text: String(decoding: data, as: UTF8.self)), path: expect)
    } catch {
      throw ReplayProblem("\(expect): \(error)")
    }
  }

  /// Adds the next message of the run.
  public func add(_ message: PublishedMessage) {
    do {
      try digests.add(topic: message.name, schema: message.schema, payload: message.payload)
      guard case .recording(let comparison, let then)? = expected else { return }
      var isPaired = comparison.addCurrent(message.frame())
      // The other recording is read only as far as this run has published.
      while !isPaired, let next = try then.next() {
        comparison.addRecorded(next)
        isPaired = next.topic == message.name
      }
    } catch let failure as ReplayProblem {
      problem = problem ?? failure
    } catch {
      problem = problem ?? ReplayProblem("\(error)")
    }
  }

  /// The digests of all messages so far.
  public func sheet() throws(ReplayProblem) -> DigestList {
    do {
      return try digests.sheet()
    } catch {
      throw ReplayProblem("libcrypto provides no SHA-256")
    }
  }

  /// Writes the digests under another name next to `path`, and renames them when they are complete.
  public func write(to path: String) throws(ReplayProblem) {
    let text = try sheet().text
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw ReplayProblem("\(path): cannot be written")
    }
  }

  /// The differences from the expected run, one per line; empty if there are none.
  public func differences() throws(ReplayProblem) -> [String] {
    if let problem { throw problem }
    switch expected {
    case nil: return []
    case .sheet(let other, let path):
      let found = try sheet().differences(from: other)
      return found.isEmpty ? [] : ["differs from the run of \(path):"] + found.map { "  \($0)" }
    case .recording(let comparison, let then):
      while let next = try then.next() { comparison.addRecorded(next) }
      comparison.finish()
      return comparison.isEqual ? [] : ["differs from the run of \(then.path):"] + comparison.text
    }
  }
}

/// The reason why a replay or a comparison is impossible, as a sentence.
public struct ReplayProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String
  public init(_ description: String) { self.description = description }
}
