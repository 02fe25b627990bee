import Foundations
import Route

extension Navigator {
  /// Moves all stored times by a step of the clock, so that no wait is prolonged or cut short.
  mutating func moveMoments(bySeconds seconds: Double) {
    if let time = last?.time { last?.time = time.advanced(bySeconds: seconds) }
    reroute.clockSet(bySeconds: seconds)
    better.clockSet(bySeconds: seconds)
    speed.clockSet(bySeconds: seconds)
    published.matched = published.matched?.advanced(bySeconds: seconds)
    if let until = waitingStart?.until { waitingStart?.until = until.advanced(bySeconds: seconds) }
    if let expires = proposed?.expires { proposed?.expires = expires.advanced(bySeconds: seconds) }
    following?.moveMoments(bySeconds: seconds)
  }
}

extension Navigator.Following {
  fileprivate mutating func moveMoments(bySeconds seconds: Double) {
    lastOnRoute = lastOnRoute?.advanced(bySeconds: seconds)
    deviation.clockSet(bySeconds: seconds)
    arrival.clockSet(bySeconds: seconds)
    // Traffic of another time is of no use.
    pricing.isStale = true
    pricing.asked = pricing.asked?.advanced(bySeconds: seconds)
    pricing.published = pricing.published?.advanced(bySeconds: seconds)
    // A forward step may be the rest itself, if the system was suspended for hours.
    if seconds < 0 { rest.clockSet(bySeconds: seconds) }
    avoided?.clockSet(bySeconds: seconds)
    turning?.clockSet(bySeconds: seconds)
    lastEstimate = lastEstimate?.advanced(bySeconds: seconds)
  }
}
