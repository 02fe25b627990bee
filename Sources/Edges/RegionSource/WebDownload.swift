import Dispatch
import Foundation
import FoundationNetworking
import RegionFiles
import Synchronization

/// Downloads from a web address on the calling thread, piece by piece.
enum WebDownload {
  /// Seconds without data after which the download fails.
  static let patienceS = 30.0

  /// Passes the bytes of `url` from offset `begin` on to `take`; blocks until the end.
  ///
  /// `restarts` is true if the server ignored the offset and sends from the first byte. `take` returns whether to continue.
  ///
  /// - Throws: `RegionFault` if the server cannot be reached, stops sending, answers other than 200 or 206, or sends
  ///   more than `limit` bytes.
  static func get(
    _ url: URL, from begin: Int, limit: Int, _ take: ([UInt8], _ restarts: Bool) -> Bool
  ) throws(RegionFault) {
    let pieces = DownloadQueue()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = patienceS
    configuration.httpAdditionalHeaders = ["User-Agent": "navstack"]
    let session = URLSession(configuration: configuration, delegate: pieces, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: url)
    if begin > 0 { request.setValue("bytes=\(begin)-", forHTTPHeaderField: "Range") }
    let task = session.dataTask(with: request)
    task.resume()
    var received = 0
    while true {
      switch pieces.next() {
      case .data(let data, let restarts):
        if restarts { received = 0 }
        received += data.count
        guard received <= limit else {
          throw RegionFault("\(url.absoluteString) sends more than \(limit) bytes")
        }
        guard take(data, restarts) else { return }
      case .end(nil): return
      case .end(let problem?): throw RegionFault("\(url.absoluteString): \(problem)")
      }
    }
  }
}

/// A bounded queue between the session's delegate thread and the thread that called `get`.
private final class DownloadQueue: NSObject, URLSessionDataDelegate, Sendable {
  enum Piece: Sendable {
    case data([UInt8], restarts: Bool)
    case end(String?)
  }

  private struct State {
    var waiting: [Piece] = []
    var beginsAnew = false
    var problem: String?
  }

  private let state = Mutex(State())
  private let filled = DispatchSemaphore(value: 0)
  private let places = DispatchSemaphore(value: 16)

  func next() -> Piece {
    filled.wait()
    places.signal()
    return state.withLock { $0.waiting.removeFirst() }
  }

  private func put(_ piece: Piece) {
    state.withLock { $0.waiting.append(piece) }
    filled.signal()
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    let isRest = dataTask.originalRequest?.value(forHTTPHeaderField: "Range") != nil
    state.withLock { state in
      switch status {
      case 206 where isRest: break
      case 200: state.beginsAnew = isRest
      default: state.problem = "the server answers \(status)"
      }
    }
    completionHandler(status == 200 || (status == 206 && isRest) ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    // A cancelled response still delivers its body, which is an error page.
    guard state.withLock({ $0.problem == nil }) else { return }
    // Back-pressure: blocks the session's thread while 16 pieces are queued.
    if places.wait(timeout: .now() + WebDownload.patienceS) == .timedOut {
      dataTask.cancel()
      return
    }
    let restarts = state.withLock { state in
      defer { state.beginsAnew = false }
      return state.beginsAnew
    }
    put(.data(Array(data), restarts: restarts))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let reported = state.withLock { $0.problem }
    put(.end(reported ?? error?.localizedDescription))
  }
}
