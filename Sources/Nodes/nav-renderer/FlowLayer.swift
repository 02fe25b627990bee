import Dispatch
import Foundations
import HTTP
import Harness
import MessagePack
import RoadGraph
import Stage
import Synchronization
import Tiles
import Traffic

/// The traffic layer of the pages: the flow on the whole map, as tiles.
///
/// A page that shows the layer takes a lease for its vehicle, and renews it. Without a lease the
/// node does not subscribe to flow, decodes nothing, and keeps nothing. Changes of flow are resolved
/// on a queue of their own; the work loop only stores messages. A vehicle gets a new version at most
/// every three seconds, and only if its traffic differs.
final class FlowLayer: Sendable {
  /// The page's command that takes or renews a lease, and the topic of new versions; neither is
  /// part of the stack's contract.
  static let name = "_flow"
  /// How long a lease lasts; a page renews it three times meanwhile.
  static let lease = Duration.seconds(120)
  /// Minimum time between two versions of a vehicle's flow.
  static let pause = Duration.seconds(3)

  /// The traffic of one vehicle, resolved.
  private struct Picture {
    var feeds: FlowFeeds
    var flow: RoadFlow
    var map: String
    /// Stack time until which it holds; nil if it holds until the next message.
    var until: Instant?
    var version: String
  }

  private struct Vehicle {
    var feeds = FlowFeeds()
    var picture: Picture?
    /// When the traffic was last resolved.
    var madeAt: ContinuousClock.Instant?
    /// nil if no page shows the layer.
    var leaseEnd: ContinuousClock.Instant?
  }

  private struct State {
    var vehicles: [String: Vehicle] = [:]
    /// The current map and its name.
    var shown: (graph: RoadGraph, tiles: FlowTiles, name: String)?
    /// Set while there is a lease.
    var map: FlowMap?
    var isRunning = false
    var versionCount = 0
    var isStopped = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "flow", qos: .utility)
  private let link = Mutex<Link?>(nil)
  /// Distinguishes the versions of this process from those of an earlier one, which a browser may
  /// have kept.
  private let run = String(UInt32.random(in: .min ... .max), radix: 36)

  /// Sends a text to the pages of a vehicle; nil withdraws the last one from later pages.
  typealias Publication = @Sendable (_ vehicle: String, _ text: String?) -> Void

  private struct Link {
    var node: any NodeHandle
    var publish: Publication
  }

  /// Subscribes on this node from now on, and publishes versions.
  func start(_ node: any NodeHandle, publish: @escaping Publication) {
    link.withLock { $0 = Link(node: node, publish: publish) }
  }

  func stop() { state.withLock { $0.isStopped = true } }

  /// Makes tiles of another map from now on.
  func show(_ graph: RoadGraph, _ maker: TileMaker, name: String) {
    let tiles = FlowTiles(maker)
    state.withLock { state in
      state.shown = (graph, tiles, name)
      state.map = nil
    }
  }

  /// Forgets a vehicle that no page shows any more.
  func forget(_ vehicle: String) { state.withLock { $0.vehicles[vehicle]?.leaseEnd = nil } }

  // MARK: Requests of pages

  /// Takes or renews the lease of a vehicle, and returns its current version:
  /// `{version, segments, free?, slow?, jam?, closed?}`; `version` is null until there is one.
  func renewLease(of vehicle: String) -> MessagePackValue {
    let (picture, isFirst) = state.withLock { state in
      state.vehicles[vehicle, default: Vehicle()].leaseEnd = .now + Self.lease
      let isFirst = !state.isRunning && !state.isStopped
      if isFirst { state.isRunning = true }
      return (state.vehicles[vehicle]?.picture, isFirst)
    }
    if isFirst {
      link.withLock { $0 }?.node.subscribe(FlowFeeds.topics) { [weak self] vehicle, message in
        self?.receive(message, of: vehicle)
      }
      // The feeds' last messages come first.
      queue.asyncAfter(deadline: .now() + 0.5) { [weak self] in self?.turn() }
    }
    return Self.payload(picture)
  }

  /// The tile at an address for a vehicle, whose lease it renews if there is one.
  ///
  /// The address contains the version, so that a browser may keep the tile.
  func tile(_ address: TileAddress, of vehicle: String, version: String?) -> WebResponse {
    let (picture, tiles) = state.withLock { state in
      if state.vehicles[vehicle]?.leaseEnd != nil {
        state.vehicles[vehicle]?.leaseEnd = .now + Self.lease
      }
      return (state.vehicles[vehicle]?.picture, state.shown?.tiles)
    }
    let body = picture.flatMap { tiles?.tile(address, $0.flow) } ?? []
    let isCurrent = version != nil && version == picture?.version
    return WebResponse(
      contentType: "application/vnd.mapbox-vector-tile",
      headers: ["Cache-Control": isCurrent ? "max-age=3600" : "no-store"], body: body)
  }

  private static func payload(_ picture: Picture?) -> MessagePackValue {
    guard let picture else { return .map([.init("version", .null)]) }
    let counts = picture.flow.countOfLevel.sorted { $0.key < $1.key }
    return .map(
      [
        .init("version", .string(picture.version)),
        .init("segments", .int(Int64(picture.flow.count))),
      ] + counts.map { .init($0.key, .int(Int64($0.value))) })
  }

  // MARK: Messages

  private func receive(_ message: EncodedMessage, of vehicle: String) {
    let fits = state.withLock { state in
      state.vehicles[vehicle, default: Vehicle()].feeds.receive(message)
    }
    guard !fits, let node = link.withLock({ $0?.node }) else { return }
    node.count("page_refused", by: 1)
    node.log(
      .warning,
      "\(vehicle)/\(message.topic) \(message.key ?? ""): not shown: all feeds together have more "
        + "than \(FlowFeeds.byteLimit / 1_048_576) MiB")
  }

  // MARK: Resolving

  /// One turn on the queue, each second while there is a lease.
  private func turn() {
    let now = ContinuousClock.now
    let (due, ended) = state.withLock { state -> (due: [String], ended: [String]) in
      let ended = state.vehicles.filter { $0.value.leaseEnd.map { $0 <= now } ?? true }
        .filter { $0.value.picture != nil }.map(\.key)
      for vehicle in ended { state.vehicles[vehicle]?.picture = nil }
      let open = state.vehicles.filter { $0.value.leaseEnd.map { $0 > now } ?? false }
      if open.isEmpty || state.isStopped {
        state.isRunning = false
        state.map = nil
        state.vehicles = [:]
        return ([], ended)
      }
      let due = open.filter { $0.value.madeAt.map { now - $0 >= Self.pause } ?? true }
      return (due.keys.sorted(), ended)
    }
    for vehicle in ended { link.withLock { $0 }?.publish(vehicle, nil) }
    for vehicle in due { resolve(vehicle) }
    if state.withLock({ $0.isRunning }) {
      queue.asyncAfter(deadline: .now() + 1) { [weak self] in self?.turn() }
    } else {
      link.withLock { $0 }?.node.unsubscribe(FlowFeeds.topics)
    }
  }

  /// Resolves a vehicle's traffic if it may have changed, and publishes a version if it has.
  private func resolve(_ vehicle: String) {
    guard let link = link.withLock({ $0 }), let now = link.node.now else { return }
    let (known, shown, others) = state.withLock { state in
      (state.vehicles[vehicle], state.shown, state.vehicles.values.compactMap(\.picture))
    }
    guard let known, let shown else { return }
    func holds(_ picture: Picture) -> Bool {
      picture.map == shown.name && picture.feeds == known.feeds
        && (picture.until.map { now < $0 } ?? true)
    }
    if let picture = known.picture, holds(picture) { return }
    var made: (flow: RoadFlow, until: Instant?)
    // A fleet often has one feed for all its vehicles.
    if let same = others.first(where: holds) {
      made = (same.flow, same.until)
    } else {
      let map = map(shown.graph, name: shown.name)
      let (reports, faults) = known.feeds.reports(on: map, since: known.picture?.feeds)
      for fault in faults {
        link.node.count(fault.counter, by: fault.count)
        link.node.log(.warning, "\(vehicle)/\(fault.sentence)")
      }
      let view = reports.view(at: now, index: map.index, graph: map.graph)
      made = (RoadFlow(view, graph: map.graph), reports.nextChange(after: now))
    }
    let differs = known.picture.map { $0.flow != made.flow || $0.map != shown.name } ?? true
    let picture = state.withLock { state -> Picture? in
      guard state.vehicles[vehicle]?.leaseEnd != nil else { return nil }
      if differs { state.versionCount += 1 }
      let version = differs ? "\(run)-\(state.versionCount)" : known.picture?.version ?? run
      let picture = Picture(
        feeds: known.feeds, flow: made.flow, map: shown.name, until: made.until, version: version)
      state.vehicles[vehicle]?.picture = picture
      state.vehicles[vehicle]?.madeAt = .now
      return picture
    }
    guard differs, let picture else { return }
    link.publish(vehicle, LiveText.message(topic: Self.name, payload: Self.payload(picture)))
  }

  private func map(_ graph: RoadGraph, name: String) -> FlowMap {
    if let map = state.withLock({ $0.map }), map.name == name { return map }
    let map = FlowMap(graph, name: name)
    state.withLock { $0.map = map }
    return map
  }
}
