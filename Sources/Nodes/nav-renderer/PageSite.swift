import Foundation
import Foundations
import Geodesy
import HTTP
import Harness
import MessagePack
import Messages
import RendererStage
import RoadGraph
import Scene
import Stage
import Synchronization
import Tiles
import Web

/// The answers of the page's server: files of the page, MapLibre, map tiles, style and settings.
final class PageSite: Sendable {
  /// Nothing is loaded from other sites, and no other site may show the page in a frame.
  static let securityHeaders = [
    "Content-Security-Policy":
      "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
      + "worker-src 'self' blob:; connect-src 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
  ]

  private let page: StaticFolder
  private let vendor: StaticFolder?
  private let style: MapStyle
  private let shields = ShieldPictures()
  private let flow: FlowLayer
  private let shown: Mutex<ShownMap>
  private let parameters: Parameters
  /// The settings of the parameters.
  private let unchanged: Presented
  /// The settings of the vehicles whose pages are open.
  private let presented = Mutex<[String: Presented]>([:])
  private let named = Mutex<[String]>([])

  /// The present display settings of a vehicle's scene.
  private struct Presented {
    /// Payload of `scene/settings`.
    var payload: [UInt8]
    var colours: ScenePresentation
  }

  /// The map whose tiles are served.
  private struct ShownMap {
    let graph: RoadGraph
    let maker: TileMaker
    let tiles: TileCache
    let name: String
    /// The day of the map's data, as in 2026-11-26; nil if the map does not contain it.
    let day: String?
    let bounds: BoundingBox?

    init(_ map: PageMap) {
      graph = map.graph
      maker = TileMaker(graph: graph, baseMap: map.baseMap)
      tiles = TileCache(maker)
      name = map.name
      day = graph.dataTime.map { String(TimeText.utc($0).prefix(10)) }
      bounds = graph.boundingBox
    }
  }

  init(
    map: PageMap, folders: PageFolders, parameters: Parameters, flow: FlowLayer
  ) throws(StageFailure) {
    self.flow = flow
    page = StaticFolder(folder: folders.page)
    vendor = folders.vendor.map { StaticFolder(folder: $0) }
    let first = ShownMap(map)
    shown = Mutex(first)
    flow.show(first.graph, first.maker, name: first.name)
    style = try MapStyle(file: folders.page + "/style.json")
    self.parameters = parameters
    let settings = try RendererSettings(parameters)
    unchanged = Presented(payload: settings.payload, colours: settings.presentation)
  }

  var isWithoutMapLibre: Bool { vendor == nil }

  /// The vehicles that the node was started for; empty if it serves any, and until it is on the
  /// bus.
  var vehicles: [String] {
    get { named.withLock { $0 } }
    set { named.withLock { $0 = newValue } }
  }

  /// Shows another map from now on; returns its name.
  func show(_ map: PageMap) -> String {
    let new = ShownMap(map)
    shown.withLock { $0 = new }
    flow.show(new.graph, new.maker, name: new.name)
    return new.name
  }

  /// The road graph of the map that is shown, and the map's name.
  var roads: (graph: RoadGraph, map: String) { shown.withLock { ($0.graph, $0.name) } }

  /// The vehicle that a page shows: the requested one, or else the first one of the node.
  ///
  /// It is nil if the node cannot serve the vehicle, or serves any and the page requests none.
  func vehicle(of request: WebRequest) -> String? {
    guard let asked = request.query["vehicle"] else { return vehicles.first }
    return refusal(of: asked) == nil ? asked : nil
  }

  /// The reason why a vehicle cannot be shown; nil if it can be, as soon as it drives.
  private func refusal(of vehicle: String) -> WebResponse? {
    // The name appears in the page's text, so it is shortened.
    let shown = "\"\(vehicle.prefix(64))\""
    guard VehicleName.isValid(vehicle) else {
      return .refusal(
        400, "\(shown) is not a vehicle name: a-z 0-9 . _ - , at most 63 characters")
    }
    let all = vehicles
    guard !all.isEmpty, !all.contains(vehicle) else { return nil }
    let some = all.prefix(5).joined(separator: ", ") + (all.count > 5 ? ", …" : "")
    return .refusal(404, "there is no vehicle \(shown) in this stack; its vehicles: \(some)")
  }

  /// Serves pages with these display settings of a vehicle from now on; `payload` decodes as
  /// `SceneSettings`.
  func present(_ settings: WireSceneSettings, payload: [UInt8], of vehicle: String) {
    var colours = ScenePresentation()
    for colour in settings.colours.compactMap({ SceneColour($0) }) { colours.set(colour) }
    presented.withLock { $0[vehicle] = Presented(payload: payload, colours: colours) }
  }

  /// Forgets the display settings of a vehicle that no page shows any more.
  ///
  /// The settings of a vehicle that the node was started for are always kept.
  func forget(_ vehicle: String) {
    guard !vehicles.contains(vehicle) else { return }
    presented.withLock { $0[vehicle] = nil }
  }

  private func presentation(of vehicle: String?) -> Presented {
    guard let vehicle, let known = presented.withLock({ $0[vehicle] }) else { return unchanged }
    return known
  }

  func response(to request: WebRequest) -> WebResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    switch parts.first {
    case nil: return page.response(for: "index.html")
    case let view? where parts.count == 1 && StackPages.views.contains(view):
      return page.response(for: "\(view).html")
    case "tiles": return tile(Array(parts.dropFirst()))
    case "flow": return flowTile(Array(parts.dropFirst()), request)
    case "vendor": return vendorFile(parts.dropFirst().joined(separator: "/"))
    case "config.json" where parts.count == 1:
      return request.query["vehicle"].flatMap(refusal) ?? .json(settings(vehicle(of: request)))
    case "style.json" where parts.count == 1: return styled(request)
    case "shield.svg" where parts.count == 1, "shield.png" where parts.count == 1:
      return shields.response(to: request, isPNG: parts[0] == "shield.png")
    default: return page.response(for: request.path)
    }
  }

  /// The address in the last three parts of a path; nil if there is none.
  private static func address(_ parts: [String]) -> TileAddress? {
    guard parts.count == 3, parts[2].hasSuffix(".mvt"),
      let zoom = Int(parts[0]), let column = Int(parts[1]), let row = Int(parts[2].dropLast(4))
    else { return nil }
    return TileAddress(zoom: zoom, column: column, row: row)
  }

  private func tile(_ parts: [String]) -> WebResponse {
    guard let address = Self.address(parts) else {
      return .refusal(400, "tiles are at /tiles/{zoom}/{column}/{row}.mvt, zoom 0 to 22")
    }
    // The address contains the map's name, so that a browser may cache the tiles.
    return WebResponse(
      contentType: "application/vnd.mapbox-vector-tile",
      headers: ["Cache-Control": "max-age=86400"], body: shown.withLock { $0.tiles }.tile(address))
  }

  private func flowTile(_ parts: [String], _ request: WebRequest) -> WebResponse {
    guard let address = Self.address(parts) else {
      return .refusal(
        400, "tiles of traffic are at /flow/{zoom}/{column}/{row}.mvt, zoom 0 to 22")
    }
    if let refusal = request.query["vehicle"].flatMap(refusal) { return refusal }
    guard let vehicle = vehicle(of: request) else {
      return .refusal(400, "name the vehicle whose traffic to show: ?vehicle=ego")
    }
    return flow.tile(address, of: vehicle, version: request.query["version"])
  }

  private func vendorFile(_ path: String) -> WebResponse {
    guard let vendor else {
      return .refusal(404, "MapLibre GL JS is missing: run Launch/fetch-page-parts")
    }
    return vendor.response(for: path)
  }

  private func styled(_ request: WebRequest) -> WebResponse {
    let theme = request.query["theme"] ?? "day"
    let set = request.query["colours"] ?? MapStyle.standard
    let origin = "http://\(request.host ?? "localhost")"
    let mode = request.query["mode"].flatMap { TravelMode(word: $0) }
    if mode == nil, let word = request.query["mode"] {
      let known = TravelMode.allCases.map(\.word).joined(separator: ", ")
      return .refusal(400, "mode must be one of \(known), not \(word)")
    }
    let colours = presentation(of: vehicle(of: request)).colours.palette(for: mode)
    let (map, day) = shown.withLock { ($0.name, $0.day) }
    guard
      let text = style.text(
        theme: theme, set: set, replacing: colours, origin: origin, map: map, day: day)
    else {
      return .refusal(
        400,
        "theme must be one of \(style.themes.joined(separator: ", ")), "
          + "colours one of \(style.sets.joined(separator: ", "))")
    }
    return .json(text)
  }

  /// The settings for a page before its live link is open; `vehicle` is null if the page must
  /// choose one.
  private func settings(_ vehicle: String?) -> String {
    var entries: [MessagePackValue.Entry] = [
      .init("vehicle", vehicle.map { .string($0) } ?? .null),
      .init("units", .string(parameters.string("units") ?? "metric")),
      .init("mode", .string(parameters.string("mode") ?? "car")),
      .init("language", .string(parameters.string("language") ?? "en-US")),
      .init("scene", LiveText.payload(presentation(of: vehicle).payload)),
    ]
    if let bounds = shown.withLock({ $0.bounds }) {
      let west = bounds.westDeg
      let south = bounds.southDeg
      let middle = [(west + bounds.eastDeg) / 2, (south + bounds.northDeg) / 2]
      entries.append(.init("center", .array(middle.map { .double($0) })))
      entries.append(
        .init(
          "bounds",
          .array([west, south, bounds.eastDeg, bounds.northDeg].map { .double($0) })))
    }
    return MessagePackValue.map(entries).json()
  }
}
