import Dispatch
import Foundation
import Positioning
import Synchronization

/// Matches all traces of several files with several threads; the answers come in the order of the files.
///
/// Files are read and traces matched in rounds, so that memory is bounded by a round and by the
/// longest trace. A file that cannot be read or a trace that cannot be answered does not affect the
/// others.
struct MatchBatch {
  let files: [String]
  let trip: String?
  let nmea: NMEAOptions
  let threads: Int
  let work: MatchWork

  /// Number of fixes after which a round takes no further file.
  private static let fixesOfRound = 1 << 16
  /// Maximum number of files of one round, and the size in bytes after which no further file is
  /// read.
  private static let filesOfRound = 64
  private static let bytesOfRound = 8 << 20

  /// The outcome of a round.
  private struct Round {
    /// Answers that wait for an earlier one, by the number of their job.
    var waiting: [Int: [UInt8]] = [:]
    var written = 0
    var tally = MatchTally()
    var failures: [String] = []
    var fault: MatchCommandFault?
  }

  /// Matches all files and writes the answers; returns totals, and a sentence for each failure.
  ///
  /// - Throws: `MatchCommandFault` if the answer cannot be written.
  func run(_ output: MatchOutput) throws(MatchCommandFault) -> (
    tally: MatchTally, failures: [String]
  ) {
    var tally = MatchTally()
    var failures: [String] = []
    var progress = BatchProgress(files: files.count)
    var next = 0
    while next < files.count {
      let group = group(from: next)
      next = group.upperBound
      var jobs: [MatchJob] = []
      for found in read(group) {
        switch found {
        case .success(let read): jobs += read
        case .failure(let fault): failures.append(fault.sentence)
        }
      }
      let names = files.count > 1 || jobs.count > 1
      var first = 0
      while first < jobs.count {
        var (end, fixes) = (first, 0)
        while end < jobs.count, end == first || fixes < Self.fixesOfRound {
          fixes += jobs[end].fixes.count
          end += 1
        }
        let part = try match(Array(jobs[first..<end]), names: names, output)
        tally += part.tally
        failures += part.failures
        first = end
        progress.report(tally, files: group.upperBound)
      }
    }
    try output.end(isWanted: files.count > 1 || tally.traces > 0)
    return (tally, failures)
  }

  private func group(from first: Int) -> Range<Int> {
    var (end, bytes) = (first, 0)
    while end < files.count, end - first < Self.filesOfRound, bytes < Self.bytesOfRound {
      let size = try? FileManager.default.attributesOfItem(atPath: files[end])[.size] as? Int
      bytes += size ?? 0
      end += 1
    }
    return first..<end
  }

  private func read(_ group: Range<Int>) -> [Result<[MatchJob], MatchCommandFault>] {
    let found = Mutex<[Int: Result<[MatchJob], MatchCommandFault>]>([:])
    inParallel(group.count) { index in
      let result: Result<[MatchJob], MatchCommandFault>
      do throws(MatchCommandFault) {
        result = .success(try TraceFile.jobs(files[group.lowerBound + index], trip, nmea))
      } catch {
        result = .failure(error)
      }
      found.withLock { $0[index] = result }
    }
    return found.withLock { found in group.indices.compactMap { found[$0 - group.lowerBound] } }
  }

  /// Matches some traces; with `names`, each remark starts with the name of its trace.
  private func match(
    _ jobs: [MatchJob], names: Bool, _ output: MatchOutput
  ) throws(MatchCommandFault) -> (tally: MatchTally, failures: [String]) {
    if jobs.count == 1 { return try matchAlone(jobs[0], names: names, output) }
    let round = Mutex(Round())
    inParallel(jobs.count) { index in
      var remarks = jobs[index].remarks
      var body = OutputText()
      let result: Result<MatchTally, MatchCommandFault>
      do throws(MatchCommandFault) {
        result = .success(
          try work.write(jobs[index], to: &body, remarks: &remarks) {
            (_: inout OutputText) throws(MatchCommandFault) in
          })
      } catch {
        result = .failure(error)
        body.removeAll()
      }
      let bytes = body.bytes
      Self.say(remarks, of: jobs[index], names: names)
      round.withLock { round in
        switch result {
        case .success(let tally): round.tally += tally
        case .failure(let fault):
          round.failures.append("\(jobs[index].name): \(fault.sentence)")
        }
        round.waiting[index] = bytes
        while round.fault == nil, let bytes = round.waiting.removeValue(forKey: round.written) {
          round.written += 1
          do throws(MatchCommandFault) {
            try output.append(bytes)
          } catch {
            round.fault = error
          }
        }
      }
    }
    let (tally, failures, fault) = round.withLock { ($0.tally, $0.failures, $0.fault) }
    if let fault { throw fault }
    return (tally, failures.sorted())
  }

  /// Matches one trace and writes its answer while it is made.
  private func matchAlone(
    _ job: MatchJob, names: Bool, _ output: MatchOutput
  ) throws(MatchCommandFault) -> (tally: MatchTally, failures: [String]) {
    var remarks = job.remarks
    var body = OutputText()
    var isWritten = false
    do throws(MatchCommandFault) {
      let tally = try work.write(job, to: &body, remarks: &remarks) {
        (text: inout OutputText) throws(MatchCommandFault) in
        if isWritten { try output.write(text) } else { try output.append(text.bytes) }
        isWritten = true
        text.removeAll()
      }
      if isWritten { try output.write(body) } else { try output.append(body.bytes) }
      Self.say(remarks, of: job, names: names)
      return (tally, [])
    } catch {
      Self.say(remarks, of: job, names: names)
      // A failed write ends the call; a trace that cannot be answered fails alone.
      if isWritten || output.isBroken { throw error }
      return (MatchTally(), [names ? "\(job.name): \(error.sentence)" : error.sentence])
    }
  }

  private static func say(_ remarks: [String], of job: MatchJob, names: Bool) {
    for remark in remarks { MatchCommand.say(names ? "\(job.name): \(remark)" : remark) }
  }

  /// Runs `body` for each number below a count on up to `threads` threads.
  private func inParallel(_ count: Int, _ body: @Sendable (Int) -> Void) {
    let next = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: max(1, min(threads, count))) { _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        body(index)
      }
    }
  }
}

/// Reports on standard error the progress of many traces, every few seconds.
private struct BatchProgress {
  let files: Int
  private let clock = ContinuousClock()
  private var last: ContinuousClock.Instant
  private static let pause = Duration.seconds(3)

  init(files: Int) {
    self.files = files
    last = clock.now
  }

  mutating func report(_ tally: MatchTally, files done: Int) {
    let now = clock.now
    guard now - last >= Self.pause else { return }
    last = now
    MatchCommand.say(
      "\(tally.traces) traces with \(tally.fixes) fixes matched, file \(done) of \(files)")
  }
}
