public import EventTime
public import Route

/// The newest traffic on what is left of a route, span by span: the router's answer to a question for it.
public struct SpanPrices: Hashable, Sendable {
  /// Traffic on what is left of one span.
  public struct Entry: Hashable, Sendable {
    /// Metres left; less than the length of the span only for the one that the vehicle is on.
    public var lengthM: Double
    /// Seconds for these metres with the latest traffic.
    public var latestS: Double
    /// Seconds of these that traffic adds; negative where it flows better than usual.
    public var delayS: Double
    /// Speed that the seconds rest on; nil where the answer does not contain it.
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
    /// Until when it holds; nil until it is replaced.
    public var until: Instant?

    public init(speedMps: Double, jamFactor: Double, kind: SpeedKind, until: Instant? = nil) {
      self.speedMps = speedMps
      self.jamFactor = jamFactor
      self.kind = kind
      self.until = until
    }
  }

  /// Index in the route of the span that the first entry is for; the next is for the next span.
  public var firstSpan: Int
  public var entries: [Entry]

  public init(firstSpan: Int, entries: [Entry]) {
    self.firstSpan = firstSpan
    self.entries = entries
  }

  /// - Throws: `PricingFault` where the entries cannot be of `route`; names the span.
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

  /// A year: longer than any span takes, and sums of it stay numbers.
  private static let longestS = 365.0 * 86_400
}

/// Prices that do not belong to the route that they are said to be of.
public struct PricingFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var sentence: String
  public var description: String { sentence }
}
