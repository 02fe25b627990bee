import Messages
import ShieldImage
import Shields
import Stage

/// Answers `scene/shield`: the shield of a road as a picture, RN-11.
///
/// Pictures are cached by their properties. The cache holds the newest 128 of them.
struct ShieldService: Sendable {
  private static let limit = 128
  private var kept: [String: SceneShieldReply] = [:]
  private var order: [String] = []

  /// Returns the reply to a request; `route` is the followed route, whose spans a request may name.
  mutating func serve(_ wire: SceneShieldRequest, route: WireRoute?) -> CallOutcome {
    do throws(CallError) {
      return .ok(.sceneShield(try reply(wire, try Self.properties(wire, route: route))))
    } catch {
      return .failed(error)
    }
  }

  private mutating func reply(
    _ wire: SceneShieldRequest, _ properties: ShieldProperties
  ) throws(CallError) -> SceneShieldReply {
    let box = ShieldBox(widthPx: Double(wire.widthPx), heightPx: Double(wire.heightPx))
    let scheme = ShieldScheme(rawValue: wire.scheme.rawValue) ?? .map
    let key =
      Shield.key(properties, box: box, scheme: scheme, night: wire.night)
      + "|\(wire.format.rawValue)"
    if let known = kept[key] { return known }
    let made: SceneShieldReply
    do {
      let picture = try Shield.make(properties, box: box, scheme: scheme, night: wire.night)
      made = SceneShieldReply(
        picture: wire.format == .png ? try picture.png() : Array(picture.svg.utf8),
        format: .init(rawValue: wire.format.rawValue) ?? .svg, widthPx: Int64(picture.widthPx),
        heightPx: Int64(picture.heightPx), description: picture.description, key: key)
    } catch let fault as ShieldFault {
      throw CallError(
        code: fault.code, message: "\(SceneShieldRequest.call): \(fault)", field: fault.field)
    } catch {
      throw CallError(code: "internal", message: "\(SceneShieldRequest.call): \(error)")
    }
    keep(made, key)
    return made
  }

  private mutating func keep(_ reply: SceneShieldReply, _ key: String) {
    if order.count == Self.limit { kept[order.removeFirst()] = nil }
    order.append(key)
    kept[key] = reply
  }

  /// Returns the properties in the request; the others come from the first number of the span that
  /// it names.
  private static func properties(
    _ wire: SceneShieldRequest, route: WireRoute?
  ) throws(CallError) -> ShieldProperties {
    var road: WireRoad?
    if let span = wire.span {
      guard let route else {
        throw CallError(
          code: "invalid", message: "span \(span): no route is being followed", field: "span")
      }
      let index = Int(clamping: span)
      guard route.spans.road.indices.contains(index),
        let found = route.roads[checked: Int(clamping: route.spans.road[index])]
      else {
        throw CallError(
          code: "invalid", message: "span \(span): the route has \(route.spans.road.count) spans",
          field: "span")
      }
      road = found
    }
    // A number in the request does not belong to the span's network.
    let first = wire.number == nil ? road?.numbers.first : nil
    return ShieldProperties(
      number: wire.number ?? first?.text, shieldText: wire.shieldText ?? first?.shieldText,
      level: (wire.level ?? first?.level).map { Int(clamping: $0) },
      country: wire.country ?? road?.country, state: wire.stateCode ?? road?.stateCode,
      direction: wire.direction ?? first?.direction, network: first?.network)
  }
}

extension Array {
  fileprivate subscript(checked index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
