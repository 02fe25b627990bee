import CLinux
import Foundation
import Foundations
import HTTP
import Harness
import OSRMService
import RouterStage
import Stage
import Synchronization

/// OSRM's HTTP API over a router's engine, RT-19.
///
/// Requests are answered on the server's own threads: neither the work loop nor other clients wait
/// for one.
final class OSRMServer: NodeAttachment {
  private let shared: RouterShared
  private let service: HTTPService
  private let address: OSRMAddress
  private let asked: RouterReference
  private let token: AccessToken?

  /// The server's link to its node, which is set later.
  private final class RouterReference: Sendable {
    let handler = Mutex<OSRMRequestHandler?>(nil)
    let node = Mutex<(any NodeHandle)?>(nil)

    var now: Instant {
      node.withLock { $0 }?.now ?? Instant(nanoseconds: clinux_wall_ns())
    }
  }

  init(
    _ shared: RouterShared, _ parameters: Parameters, _ address: OSRMAddress
  ) throws(StageFailure) {
    self.shared = shared
    self.address = address
    let asked = RouterReference()
    self.asked = asked
    token = parameters.string("http_access") == "open" ? nil : .ofStack()
    var bounds = HTTPLimits()
    let cores = ProcessInfo.processInfo.activeProcessorCount
    bounds.workers = max(2, cores)
    bounds.heavyWorkers = max(1, bounds.workers - 1)
    bounds.answerS = parameters.double("http_answer_s")
    bounds.connections = parameters.int("http_connections")
    do {
      service = try HTTPService(
        host: address.host, port: address.port, bounds: bounds,
        origins: CrossOrigin(parameters.strings("http_origins")),
        hosts: parameters.strings("http_hosts"), token: token,
        advice:
          "this router belongs to a stack: use the printed address, which contains the token, or set its parameter http_access: open",
        sharing: .ofProcess(), isHeavy: { OSRMRequestHandler.isHeavy($0.target) }
      ) { head, patience in
        guard let handler = asked.handler.withLock({ $0 }) else {
          return .refusal(503, "the router is starting")
        }
        let (status, json) = handler.response(
          to: head.target, now: asked.now, isCancelled: { patience.hasEnded })
        return WebResponse(
          status: status, contentType: "application/json; charset=UTF-8", body: json)
      }
    } catch {
      throw StageFailure("http: \(error.description)")
    }
  }

  /// Starts to answer for `vehicle`, without a bus.
  func start(vehicle: String) -> UInt16 {
    asked.handler.withLock { $0 = OSRMRequestHandler(shared: shared, vehicle: vehicle) }
    service.start()
    return service.port
  }

  func start(_ node: any NodeHandle) throws(StageFailure) {
    asked.node.withLock { $0 = node }
    let port = start(vehicle: node.vehicle)
    let word = token.map { "token/\($0.text)/" } ?? ""
    node.log(
      .info, "OSRM's HTTP API: http://\(address.host):\(port)/\(word)route/v1/driving/…")
  }

  func mapChanged(_ shared: any Sendable) {
    guard let shared = shared as? RouterShared else { return }
    asked.handler.withLock { handler in
      if let old = handler { handler = OSRMRequestHandler(shared: shared, vehicle: old.vehicle) }
    }
  }

  func retire() { service.retire() }
  var hasRetired: Bool { service.hasEnded }
  func stop() { service.stop() }
}
