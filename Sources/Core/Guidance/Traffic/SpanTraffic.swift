public import Foundations
public import Route

/// The latest traffic on the rest of a route, span by span: the router's answer to a traffic
/// request.
public struct SpanTraffic: Hashable, Sendable {
  /// Traffic on the rest of one span.
  public struct Entry: Hashable, Sendable {
    /// Remaining metres; less than the length of the span only for the one that the vehicle is on.
    public var lengthM: Double
    /// Seconds for these metres with the latest traffic.
    public var latestS: Double
    /// Part of these seconds that traffic adds; negative if traffic is faster than usual.
    public var delayS: Double
    /// Speed that the seconds are based on; nil if the answer does not contain it.
    public var flow: Flow?

    public init(lengthM: Double, latestS: Double, delayS: Double, flow: Flow? = nil) {
      self.lengthM = lengthM
      self.latestS = latestS
      self.delayS = delayS
      self.flow = flow
    }
  }

  /// How traffic flows on one span.
  public struct Flow: Hashable, Sendable {
    public var speedMps: Double
    /// 0 free to 10 closed.
    public var jamFactor: Double
    public var kind: SpeedKind
    /// When it expires; nil if it is valid until it is replaced.
    public var until: Instant?

    public init(speedMps: Double, jamFactor: Double, kind: SpeedKind, until: Instant? = nil) {
      self.speedMps = speedMps
      self.jamFactor = jamFactor
      self.kind = kind
      self.until = until
    }
  }

  /// Index in the route of the span that the first entry is for; each further entry is for the next
  /// span.
  public var firstSpan: Int
  public var entries: [Entry]

  public init(firstSpan: Int, entries: [Entry]) {
    self.firstSpan = firstSpan
    self.entries = entries
  }

  /// - Throws: `PricingFault` if the entries cannot belong to `route`; it names the span.
  func check(against route: Route) throws(PricingFault) {
    let count = route.spans.count
    guard (0...count).contains(firstSpan), entries.count <= count - firstSpan else {
      throw PricingFault(
        sentence: "\(entries.count) spans from span \(firstSpan) on, of a route of \(count)")
    }
    for (place, entry) in entries.enumerated() {
      let flows = entry.flow.map { $0.speedMps >= 0 && (0...10).contains($0.jamFactor) } ?? true
      guard (0...Self.longestS).contains(entry.latestS), abs(entry.delayS) <= Self.longestS,
        entry.lengthM.isFinite, entry.lengthM >= 0, flows
      else {
        throw PricingFault(
          sentence: "span \(firstSpan + place): \(entry.latestS) s for \(entry.lengthM) m")
      }
    }
  }

  /// A year: longer than any span takes, and small enough for sums to stay finite.
  private static let longestS = 365.0 * 86_400
}

/// Prices that do not belong to the route that they were reported for.
public struct PricingFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var sentence: String
  public var description: String { sentence }
}
