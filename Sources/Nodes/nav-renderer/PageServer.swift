import Dashboard
import Dispatch
import HTTP
import Harness
import MessagePack
import Messages
import NodeKit
import RendererStage
import RoadFile
import RoadGraph
import Stage
import Synchronization
import Tiles
import Web

/// Serves the pages of the vehicles: files, map tiles, and a live link to the stack for each page.
///
/// Requests are answered on the server's own tasks. The work loop only puts texts into bounded
/// mailboxes, so no browser can delay it.
final class PageServer: NodeAttachment {
  /// Topics that the page reads as they arrive, in addition to the scene.
  static let topics = [
    "route/active", "route/alternatives", "route/better", "route/error",
    "guidance/progress", "guidance/road", "guidance/reroute", "guidance/arrival",
    "guidance/offroad", "guidance/deviation",
    "guidance/speed", "guidance/warning", "guidance/traffic", "voice/announcement",
    "traffic/incidents",
    "scene/settings",
  ]

  private let site: PageSite
  private let host: String
  private let port: UInt16
  /// By the vehicle that their pages show; "" for pages that show none.
  private let hubs: LiveHubs
  private let caller: PageCallHandler
  private let flow: FlowLayer
  private let incidents = PlacedIncidents()
  private let stackPages: StackPages
  private let server: WebServer
  private let token: AccessToken?
  private let openEvents = OpenEvents()
  /// The task of the heartbeat; nil before the start.
  private let heartbeat = Mutex<Task<Void, Never>?>(nil)

  init(map: PageMap, folders: PageFolders, parameters: Parameters) throws(StageFailure) {
    flow = FlowLayer()
    caller = PageCallHandler(flow: flow)
    site = try PageSite(map: map, folders: folders, parameters: parameters, flow: flow)
    host = parameters.string("host") ?? "127.0.0.1"
    port = UInt16(clamping: parameters.int("port"))
    token = parameters.string("page_access") == "open" ? nil : .ofStack() ?? .random()
    let environment = try NodeEnvironment(program: "nav-renderer")
    let stackPages = StackPages(ObservedBus(address: environment.bus, node: environment.name))
    self.stackPages = stackPages
    hubs = LiveHubs(
      name: { [site] request in
        StackPages.hub(of: request) ?? site.vehicle(of: request) ?? ""
      },
      began: { [caller] vehicle in
        guard !stackPages.began(vehicle) else { return }
        if !vehicle.isEmpty { caller.node?.watch(vehicle) }
      },
      ended: { [caller, site, openEvents, flow] vehicle in
        guard !stackPages.ended(vehicle) else { return }
        site.forget(vehicle)
        flow.forget(vehicle)
        openEvents.forget(vehicle)
        caller.forget(vehicle)
        if !vehicle.isEmpty { caller.node?.unwatch(vehicle) }
      },
      answer: { [caller] vehicle, text in
        await stackPages.reply(text, hub: vehicle, otherwise: caller)
      })
    stackPages.publish(on: hubs)
    do {
      server = try WebServer(
        host: host, port: port, live: hubs, headers: PageSite.securityHeaders, token: token
      ) { [site] request in site.response(to: request) }
      // A standby takes over the address of the process that it replaces before that process ends.
      try server.listen(sharing: .ofProcess())
    } catch {
      throw StageFailure(error.description)
    }
  }

  func start(_ node: any NodeHandle) throws(StageFailure) {
    caller.node = node
    site.vehicles = node.vehicles
    for vehicle in node.vehicles { hubs.keep(vehicle) }
    let listening: UInt16
    do {
      listening = try server.start()
    } catch {
      throw StageFailure(error.description)
    }
    node.subscribe(Self.topics) { [weak self] vehicle, message in
      self?.show(message, of: vehicle)
    }
    flow.start(node) { [hubs] vehicle, text in
      let hub = hubs.hub(named: vehicle)
      if let text {
        hub?.publish(text, name: FlowLayer.name, delivery: .latest)
      } else {
        hub?.forget(name: FlowLayer.name)
      }
    }
    if site.isWithoutMapLibre {
      node.setDegraded("MapLibre GL JS is missing: run Launch/fetch-page-parts")
    }
    startHeartbeat(of: node)
    let word = token.map { "?token=\($0.text)" } ?? ""
    node.log(.info, "page: http://\(host == "0.0.0.0" ? "127.0.0.1" : host):\(listening)/\(word)")
  }

  func didPublish(_ message: PublishedMessage) {
    guard message.topic == SceneFrame.topic, let vehicle = message.vehicle else { return }
    show(message.inbound, of: vehicle)
  }

  /// Makes tiles of the new map from now on, and tells the pages to fetch them.
  func mapChanged(_ shared: any Sendable) {
    guard let node = caller.node, let path = node.parameters.string("map") else { return }
    DispatchQueue.global().async { [site, hubs] in
      do {
        let name = site.show(try PageMap(path: path))
        hubs.publishToAll(
          LiveText.mapChanged(to: name), name: LiveText.mapTopic, delivery: .latest)
      } catch {
        node.count("maps_refused", by: 1)
        node.log(.warning, "the new map is refused, the old one stays visible: \(error)")
      }
    }
  }

  func retire() { server.retire() }
  var hasRetired: Bool { server.hasEnded }

  func stop() {
    heartbeat.withLock { $0?.cancel() }
    flow.stop()
    hubs.close()
    server.stop()
  }

  /// Tells all pages each second that the renderer runs, and whether it is on the bus.
  private func startHeartbeat(of node: any NodeHandle) {
    let task = Task { [hubs, weak node] in
      while !Task.isCancelled, let isConnected = node?.isConnected {
        hubs.publishToAll(
          LiveText.alive(isBusConnected: isConnected), name: LiveText.aliveTopic,
          delivery: .latest)
        try? await Task.sleep(for: .seconds(LiveText.aliveS))
      }
    }
    heartbeat.withLock { $0 = task }
  }

  /// Sends a message to the pages that show its vehicle; costs nothing if there are none.
  private func show(_ message: EncodedMessage, of vehicle: String) {
    guard let hub = hubs.hub(named: vehicle) else { return }
    guard isWellFormed(message, of: vehicle) else {
      caller.node?.count("page_refused", by: 1)
      return
    }
    // Precedes the message to the pages, because they immediately request a style with the new
    // colours.
    if message.topic == SceneSettings.topic,
      let settings = try? SceneSettings(decoding: message.payload).body
    {
      site.present(settings, payload: message.payload, of: vehicle)
    }
    if message.topic == RouteActive.topic { followed(message, of: vehicle, on: hub) }
    if message.topic == TrafficIncidents.topic {
      let (graph, map) = site.roads
      return incidents.place(message, on: graph, map: map) { [weak self] text in
        self?.pass(text, of: message, vehicle, to: hub)
      }
    }
    pass(LiveText.text(of: message), of: message, vehicle, to: hub)
  }

  /// Passes the text of a message to the pages, by the class of its topic.
  private func pass(
    _ text: String, of message: EncodedMessage, _ vehicle: String, to hub: LiveHub
  ) {
    let name = message.key.map { "\(message.topic) \($0)" } ?? message.topic
    switch Topics.declaration(of: message.topic)?.deliveryClass {
    case .event:
      let treatment = openEvents.treatment(of: message, vehicle: vehicle)
      switch treatment {
      case .passing: hub.publish(text, name: name, delivery: .event)
      case .opens(let name): hub.publish(text, name: name, delivery: .latest)
      case .closes(let name): hub.retract(name: name, saying: text)
      }
    case .state where message.payload.isEmpty: hub.retract(name: name, saying: text)
    default: hub.publish(text, name: name, delivery: .latest)
    }
  }

  /// Closes the events of other routes than the one that is followed from now on.
  private func followed(_ message: EncodedMessage, of vehicle: String, on hub: LiveHub) {
    let route = try? RouteActive(decoding: message.payload).route?.id
    let closed = openEvents.close(except: route, vehicle: vehicle)
    for name in closed { hub.forget(name: name) }
  }

  /// Whether a message keeps the contract; a page checks nothing and gets only such messages.
  private func isWellFormed(_ message: EncodedMessage, of vehicle: String) -> Bool {
    guard !message.payload.isEmpty, let topic = Topics.declaration(of: message.topic) else {
      return message.payload.isEmpty
    }
    do throws(DecodeError) {
      _ = try topic.message.init(decoding: message.payload)
      return true
    } catch {
      caller.node?.log(.warning, "\(vehicle)/\(message.topic): not shown: \(error.message)")
      return false
    }
  }
}
