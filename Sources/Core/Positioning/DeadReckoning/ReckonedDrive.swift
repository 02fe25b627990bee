import RealModule

/// A drive extrapolated from one known position, in steps of a tenth of a second.
struct ReckonedDrive: Sendable {
  private struct Step: Sendable {
    var metres: Double
    var speedMps: Double
    var leg: Int
  }

  /// The seconds of the drive during which it is in or near a tunnel.
  struct Tunnel: Hashable, Sendable {
    var fromS: Double
    /// The last time in the tunnel, as far as is known.
    var lastS: Double
  }

  static let stepS = 0.1
  /// Below this speed a vehicle counts as standing; outside tunnels it then does not move.
  private static let standstillMps = 0.7
  /// A drive of hours in a tunnel is an error.
  private static let longestS = 3600.0

  var ahead: ReckonedPath?
  private(set) var tunnel: Tunnel?
  private var steps: [Step] = []

  /// Extrapolates the drive up to `seconds`.
  mutating func advance(
    toS seconds: Double, speedMps start: Double?, _ settings: DeadReckoning.Settings
  ) {
    guard var ahead else { return }
    self.ahead = nil
    defer { self.ahead = ahead }
    if steps.isEmpty {
      let first = ahead.legs[0]
      steps.append(
        Step(
          metres: 0,
          speedMps: Double.minimum(start ?? first.usualMps, first.trafficMps), leg: 0))
      recordTunnel(first.isTunnel, atS: 0, settings)
    }
    let wanted = Int((Double.minimum(seconds, Self.longestS) / Self.stepS).rounded(.up))
    while steps.count <= wanted {
      let last = steps[steps.count - 1]
      let atS = Double(steps.count) * Self.stepS
      // Moments at which no estimate is allowed are not computed.
      guard isWorthwhile(atS: atS, settings) else { return }
      let leg = ahead.legs[last.leg]
      let share = Double.minimum(1, atS / settings.decayS)
      let from = start ?? leg.usualMps
      let stands = from < Self.standstillMps && !leg.isTunnel
      let usual = stands ? from : from + (leg.usualMps - from) * share
      let speed = Double.minimum(usual, leg.trafficMps)
      let wishM = last.metres + (last.speedMps + speed) / 2 * Self.stepS
      let number = ahead.leg(atM: wishM, from: last.leg)
      let metres = Double.minimum(wishM, ahead.legs[number].endM)
      steps.append(Step(metres: metres, speedMps: metres < wishM ? 0 : speed, leg: number))
      recordTunnel(ahead.legs[number].isTunnel, atS: atS, settings)
    }
  }

  private mutating func recordTunnel(
    _ isTunnel: Bool, atS: Double, _ settings: DeadReckoning.Settings
  ) {
    guard isTunnel else { return }
    if tunnel == nil {
      guard atS <= settings.gapS else { return }
      tunnel = Tunnel(fromS: atS, lastS: atS)
    } else if let last = tunnel?.lastS, atS - last <= settings.behindTunnelS {
      tunnel?.lastS = atS
    }
  }

  private func isWorthwhile(atS: Double, _ settings: DeadReckoning.Settings) -> Bool {
    if atS <= settings.gapS + Self.stepS { return true }
    guard let tunnel else { return false }
    return atS <= tunnel.lastS + settings.behindTunnelS + Self.stepS
  }

  /// Whether an estimate is allowed for a moment that `advance` has reached (TU-3).
  func isAllowed(atS seconds: Double, _ settings: DeadReckoning.Settings) -> Bool {
    if settings.inGaps, seconds <= settings.gapS { return true }
    guard settings.inTunnels, let tunnel else { return false }
    return seconds >= tunnel.fromS && seconds <= tunnel.lastS + settings.behindTunnelS
  }

  /// Metres, speed and leg at a moment that `advance` has reached; nil for other moments.
  func place(atS seconds: Double) -> (metres: Double, speedMps: Double, leg: Int)? {
    let at = seconds / Self.stepS
    let index = Int(at.rounded(.down))
    guard index >= 0, index < steps.count, let ahead else { return nil }
    let step = steps[index]
    let next = steps[min(index + 1, steps.count - 1)]
    let share = at - Double(index)
    let metres = step.metres + (next.metres - step.metres) * share
    let leg = metres > ahead.legs[step.leg].endM ? next.leg : step.leg
    return (metres, step.speedMps + (next.speedMps - step.speedMps) * share, leg)
  }
}
