import HTTP
import ShieldImage
import Shields
import Synchronization

/// Answers `shield.svg` and `shield.png`: the shield of a road number as a picture, RN-4, RN-11.
///
/// The query has the fields of `ShieldProperties` (`number`, `shield_text`, `level`, `country`, `state`, `direction`,
/// `network`), `width_px` and `height_px`, `scheme` (`map` or `panel`) and `night` (1). Equal queries give equal bytes.
/// The newest pictures are kept.
final class ShieldPictures: Sendable {
  private static let limit = 512
  private static let fields: Set<String> = [
    "number", "shield_text", "level", "country", "state", "direction", "network", "width_px",
    "height_px", "scheme", "night",
  ]

  private struct State {
    var kept: [String: [UInt8]] = [:]
    var order: [String] = []
  }
  private let state = Mutex(State())

  /// Draws a shield; 400 with the reason if there is none, such as a missing country.
  func response(to request: WebRequest, isPNG: Bool) -> WebResponse {
    do {
      return WebResponse(
        contentType: isPNG ? "image/png" : "image/svg+xml",
        // The picture of a query changes with the software only, which browsers ask about.
        headers: ["Cache-Control": "max-age=3600"],
        body: try bytes(request.query, isPNG: isPNG))
    } catch let fault as ShieldFault {
      return .refusal(400, "no shield (\(fault.code)): \(fault)")
    } catch {
      return .refusal(500, "no shield: \(error)")
    }
  }

  private func bytes(_ fields: [String: String], isPNG: Bool) throws -> [UInt8] {
    // Forms and many programs write a space as a plus sign.
    let query = fields.mapValues { $0.replacing("+", with: " ") }
    if let unknown = query.keys.filter({ !Self.fields.contains($0) && $0 != "token" }).min() {
      throw ShieldFault.invalid(
        field: "\"\(unknown.prefix(32))\"",
        reason:
          "is not a field of a shield; its fields: \(Self.fields.sorted().joined(separator: ", "))")
    }
    let properties = ShieldProperties(
      number: query["number"], shieldText: query["shield_text"],
      level: try Self.number("level", in: query).map { Int($0) }, country: query["country"],
      state: query["state"], direction: query["direction"], network: query["network"])
    let box = ShieldBox(
      widthPx: try Self.number("width_px", in: query) ?? 160,
      heightPx: try Self.number("height_px", in: query) ?? 40)
    let word = query["scheme"] ?? ShieldScheme.map.rawValue
    guard let scheme = ShieldScheme(rawValue: word) else {
      throw ShieldFault.invalid(
        field: "scheme", reason: "must be map or panel, not \"\(word.prefix(32))\"")
    }
    let isNight = query["night"] == "1"
    let key =
      Shield.key(properties, box: box, scheme: scheme, night: isNight) + (isPNG ? "|png" : "|svg")
    if let known = state.withLock({ $0.kept[key] }) { return known }
    let picture = try Shield.make(properties, box: box, scheme: scheme, night: isNight)
    let bytes = isPNG ? try picture.png() : Array(picture.svg.utf8)
    state.withLock { state in
      guard state.kept.updateValue(bytes, forKey: key) == nil else { return }
      state.order.append(key)
      if state.order.count > Self.limit { state.kept[state.order.removeFirst()] = nil }
    }
    return bytes
  }

  /// A whole number of the query, from -9999 to 9999; nil if it is absent.
  private static func number(_ field: String, in query: [String: String]) throws -> Double? {
    guard let text = query[field] else { return nil }
    guard text.utf8.count <= 4, let value = Int(text) else {
      throw ShieldFault.invalid(
        field: field, reason: "must be a whole number, not \"\(text.prefix(32))\"")
    }
    return Double(value)
  }
}
