import Foundations
import RegionFiles
import RegionSource
import Regions
import Synchronization

/// Fetches the catalogue and the regions of one source, one at a time, for all vehicles of a process.
final class RegionFetcher: Sendable {
  /// Work that runs concurrently with the event loop.
  enum Job: Hashable {
    case readCatalogue
    case fetch(Region)
  }

  struct Failure: Hashable {
    var problem: String
    /// Stack time of the next attempt.
    var retry: Instant
  }

  struct State {
    /// The last catalogue that could be read; nil before the first.
    var catalogue: RegionCatalogue?
    /// Why the last attempt to read the catalogue failed; nil after a success.
    var catalogueFailure: Failure?
    /// Stack time of the last successful read.
    var catalogueRead: Instant?
    /// Names of regions that were requested by `map/fetch`.
    var requested: Set<String> = []
    /// The last failure of each region that could not be fetched.
    var failures: [String: Failure] = [:]
    var running: Job?
    /// Bytes of the region that is being fetched.
    var receivedBytes = 0

    /// The catalogue's failure first, then the regions' failures by name.
    var allFailures: [Failure] {
      (catalogueFailure.map { [$0] } ?? [])
        + failures.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Path of the folder of installed maps.
  let folder: String
  let source: RegionSource
  private let stored = Mutex(State())

  init(folder: String, source: RegionSource) {
    self.folder = folder
    self.source = source
  }

  var state: State { stored.withLock { $0 } }

  /// Requests regions by name; they are fetched before all others.
  func request(_ names: some Sequence<String>) { stored.withLock { $0.requested.formUnion(names) } }

  /// Marks the next job as running and returns it; nil while another job runs, or if there is none.
  ///
  /// The caller must pass the job to `run`.
  func startJob(
    _ needs: RegionNeeds, installed: Set<String>, at now: Instant, refreshS: Double
  ) -> Job? {
    stored.withLock { state in
      guard state.running == nil,
        let job = Self.nextJob(needs, installed, now, refreshS, state)
      else { return nil }
      state.running = job
      state.receivedBytes = 0
      return job
    }
  }

  private static func nextJob(
    _ needs: RegionNeeds, _ installed: Set<String>, _ now: Instant, _ refreshS: Double,
    _ state: State
  ) -> Job? {
    let isDue = state.catalogueRead.map { now.seconds(since: $0) >= refreshS } ?? true
    if isDue, state.catalogueFailure.map({ $0.retry <= now }) ?? true { return .readCatalogue }
    var needs = needs
    needs.requested = state.requested
    let missing = state.catalogue.map { needs.missing(in: $0, installed: installed) } ?? []
    return missing.first { region in state.failures[region.name].map { $0.retry <= now } ?? true }
      .map { .fetch($0) }
  }

  /// Runs a job that `startJob` returned, on the calling thread; may take as long as a download.
  func run(_ job: Job, at now: Instant, retryS: Double) {
    switch job {
    case .readCatalogue: readCatalogue(at: now, retryS: retryS)
    case .fetch(let region): fetch(region, at: now, retryS: retryS)
    }
    stored.withLock { $0.running = nil }
  }

  /// Reads the catalogue on the calling thread; a failure is retried after `retryS` seconds of stack time.
  func readCatalogue(at now: Instant, retryS: Double) {
    do throws(RegionFault) {
      let catalogue = try source.catalogue()
      stored.withLock { state in
        state.catalogue = catalogue
        state.catalogueRead = now
        state.catalogueFailure = nil
      }
    } catch {
      let failure = Failure(problem: error.description, retry: now.advanced(bySeconds: retryS))
      stored.withLock { $0.catalogueFailure = failure }
    }
  }

  private func fetch(_ region: Region, at now: Instant, retryS: Double) {
    do throws(RegionFault) {
      try source.install(region, into: folder) { received in
        stored.withLock { $0.receivedBytes = received }
        return true
      }
      stored.withLock { $0.failures[region.name] = nil }
    } catch {
      let failure = Failure(problem: error.description, retry: now.advanced(bySeconds: retryS))
      stored.withLock { $0.failures[region.name] = failure }
    }
  }
}
