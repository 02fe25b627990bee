import BusProtocol
import NodeKit
import Stage

/// Reports refusals and the log lines of stages, so that a cause that repeats does not fill the log.
extension BusHarness {
  /// Counts a refused event, and logs it once per vehicle and cause.
  func refuse(_ refusal: Refusal, place: String, vehicle: String?) {
    let sentence = refusal.sentence(at: place)
    figures.refuse(place, refusal.reason, vehicle: vehicle, text: sentence)
    let isOfVehicle = vehicle != nil && !place.hasPrefix("_")
    let whole = isOfVehicle ? "\(vehicle ?? "")/\(place)" : place
    write(
      LogRateLimiter.Line(level: .warning, text: "\(whole): \(sentence)", vehicle: vehicle),
      cause: "\(place) \(refusal.reason)")
  }

  /// Logs a line of a stage or an attachment; a line about one of its inputs names the vehicle in the topic.
  func report(_ level: LogLevel, _ text: String, vehicle: String?) {
    guard level != .debug else { return log.write(level, text, stampNS: stampNS(.now)) }
    let isOwn = vehicle.map { host.manifest.ownVehicles?.contains($0) == true } ?? true
    let vehicle = isOwn ? nil : vehicle
    let isOfInput = inputs.contains { text.hasPrefix("\($0): ") }
    let whole = isOfInput ? vehicle.map { "\($0)/\(text)" } : nil
    write(
      LogRateLimiter.Line(level: level, text: whole ?? text, vehicle: vehicle),
      cause: "\(level.rawValue) \(LogRateLimiter.cause(of: text))")
  }

  /// Adds to a stage's counter; one named after an input and a reason also explains missing
  /// outputs.
  func count(_ counter: String, by amount: Int, vehicle: String) {
    figures.count(counter, by: amount)
    guard let space = counter.firstIndex(of: " ") else { return }
    let topic = String(counter[..<space])
    let reason = String(counter[counter.index(after: space)...])
    guard Self.isUnused(reason), inputs.contains(setUp.environment.wiring.onBus(topic)) else {
      return
    }
    figures.countUnused(topic, reason, vehicle: vehicle, count: amount)
  }

  /// Whether messages counted under this reason were not used; otherwise they only lack a value.
  private static func isUnused(_ reason: String) -> Bool {
    !reason.hasSuffix("_left_out") && !reason.hasSuffix("_not_believed")
      && !reason.hasPrefix("answered_") && reason != "time_began_anew"
  }

  /// Writes the summaries of repeated lines that are due.
  func writeSummaries(at now: MonotonicTime, all: Bool = false) {
    for line in repeats.summaries(at: now, all: all) { write(line) }
  }

  private func write(_ line: LogRateLimiter.Line, cause: String) {
    if let line = repeats.record(line, cause: cause, at: .now) { write(line) }
  }

  private func write(_ line: LogRateLimiter.Line) {
    log.write(line.level, line.text, stampNS: stampNS(.now), vehicle: line.vehicle)
  }
}

extension Refusal {
  /// The sentence without the name of the place, with which some stages start it.
  func sentence(at place: String) -> String {
    let prefix = "\(place): "
    return message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
  }
}
