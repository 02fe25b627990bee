import EventTime
import RegionFiles
import RegionSource
import Regions
import Synchronization

/// What is known of the source and what is fetched from it, for all vehicles of a process: one thing at a time.
final class RegionDesk: Sendable {
  /// What is to be done beside the loop.
  enum Job: Hashable {
    case readCatalogue
    case fetch(Region)
  }

  struct Failure: Hashable {
    var problem: String
    /// Stack time at which it is tried again.
    var retry: Instant
  }

  struct State {
    var catalogue: RegionCatalogue?
    /// Why there is no newer catalogue.
    var catalogueFailure: Failure?
    var catalogueRead: Instant?
    var asked: Set<String> = []
    var failures: [String: Failure] = [:]
    var underWay: Job?
    var receivedBytes = 0

    /// Of the catalogue first, then of regions by name.
    var allFailures: [Failure] {
      (catalogueFailure.map { [$0] } ?? [])
        + failures.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  let folder: String
  let source: RegionSource
  private let stored = Mutex(State())

  init(folder: String, source: RegionSource) {
    self.folder = folder
    self.source = source
  }

  var state: State { stored.withLock { $0 } }

  /// The names that were asked for, so that a restart knows them.
  func ask(for names: some Sequence<String>) { stored.withLock { $0.asked.formUnion(names) } }

  /// Takes the next job, which the caller then does with `perform`; nil while another one is under way, and for nothing to do.
  func take(
    _ needs: RegionNeeds, installed: Set<String>, at now: Instant, refreshS: Double
  ) -> Job? {
    stored.withLock { state in
      guard state.underWay == nil else { return nil }
      if let job = Self.job(needs, installed, now, refreshS, state) {
        state.underWay = job
        state.receivedBytes = 0
        return job
      }
      return nil
    }
  }

  private static func job(
    _ needs: RegionNeeds, _ installed: Set<String>, _ now: Instant, _ refreshS: Double,
    _ state: State
  ) -> Job? {
    let isDue = state.catalogueRead.map { now.seconds(since: $0) >= refreshS } ?? true
    if isDue, state.catalogueFailure.map({ $0.retry <= now }) ?? true { return .readCatalogue }
    var needs = needs
    needs.asked = state.asked
    let missing = state.catalogue.map { needs.missing(in: $0, installed: installed) } ?? []
    return missing.first { region in state.failures[region.name].map { $0.retry <= now } ?? true }
      .map { .fetch($0) }
  }

  /// Does a job on the calling thread; may take as long as a download.
  func perform(_ job: Job, at now: Instant, retryS: Double) {
    let retry = now.advanced(bySeconds: retryS)
    do throws(RegionFault) {
      switch job {
      case .readCatalogue:
        let catalogue = try source.catalogue()
        stored.withLock { state in
          state.catalogue = catalogue
          state.catalogueRead = now
          state.catalogueFailure = nil
        }
      case .fetch(let region):
        try source.install(region, into: folder) { received in
          stored.withLock { $0.receivedBytes = received }
          return true
        }
        stored.withLock { $0.failures[region.name] = nil }
      }
    } catch {
      let failure = Failure(problem: error.description, retry: retry)
      stored.withLock { state in
        switch job {
        case .readCatalogue: state.catalogueFailure = failure
        case .fetch(let region): state.failures[region.name] = failure
        }
      }
    }
    stored.withLock { $0.underWay = nil }
  }
}
