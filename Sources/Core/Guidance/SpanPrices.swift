import Route

/// The newest seconds of what is left of a route, span by span.
public struct SpanPrices: Hashable, Sendable {
  /// Index in the route of the span that the first entry is for; the next is for the next span.
  public var firstSpan: Int
  public var latestS: [Double]
  /// Metres that the seconds are for: of the span under way only its rest.
  public var leftM: [Double]

  public init(firstSpan: Int, latestS: [Double], leftM: [Double]) {
    self.firstSpan = firstSpan
    self.latestS = latestS
    self.leftM = leftM
  }

  /// Seconds of every whole span of the route: new ones where there are some, else as they were.
  func wholeSpans(of route: Route) throws(PricingFault) -> [Double] {
    let count = route.spans.count
    guard latestS.count == leftM.count else {
      throw PricingFault(sentence: "\(latestS.count) durations for \(leftM.count) lengths")
    }
    guard (0...count).contains(firstSpan), latestS.count <= count - firstSpan else {
      throw PricingFault(
        sentence: "\(latestS.count) spans from span \(firstSpan) on, of a route of \(count)")
    }
    var whole = route.spans.map(\.durations.latestS)
    for (place, (seconds, metres)) in zip(latestS, leftM).enumerated() {
      let span = firstSpan + place
      guard (0...Self.longestS).contains(seconds), metres.isFinite, metres >= 0 else {
        throw PricingFault(sentence: "span \(span): \(seconds) s for \(metres) m")
      }
      let lengthM = route.spans[span].lengthM
      guard place == 0, metres < lengthM else {
        whole[span] = seconds
        continue
      }
      // Of nothing left there is nothing to tell of the whole.
      if metres > 0 { whole[span] = min(Self.longestS, seconds * lengthM / metres) }
    }
    return whole
  }

  /// A year: longer than any span takes, and sums of it stay numbers.
  private static let longestS = 365.0 * 86_400
}

/// Prices that do not belong to the route that they are said to be of.
public struct PricingFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var sentence: String
  public var description: String { sentence }
}
