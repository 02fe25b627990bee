/// What every route of a stack takes into account in addition to its own request, RT-22.
public struct RoutePolicy: Codable, Hashable, Sendable {
  public var avoid: Set<Avoidance>
  /// ISO 3166-1 codes of two capital letters.
  public var avoidCountries: Set<String>
  /// At most 64.
  public var wishes: [RoutePreference]
  /// The maximum use of traffic; nil for no limit.
  public var traffic: TrafficUse?
  /// 0.5 to 150; nil for no cap.
  public var speedCapMps: Double?

  public init(
    avoid: Set<Avoidance> = [], avoidCountries: Set<String> = [], wishes: [RoutePreference] = [],
    traffic: TrafficUse? = nil, speedCapMps: Double? = nil
  ) {
    self.avoid = avoid
    self.avoidCountries = avoidCountries
    self.wishes = wishes
    self.traffic = traffic
    self.speedCapMps = speedCapMps
  }

  public var isEmpty: Bool { self == RoutePolicy() }

  /// The request with the policy applied; it may have up to 128 preferences.
  ///
  /// Avoidances and countries are combined, and the policy's preferences come before those of the
  /// request. The more restrictive use of traffic and the lower speed cap apply.
  public func applied(to request: RouteRequest) -> RouteRequest {
    var merged = request
    merged.avoid.formUnion(avoid)
    merged.avoidCountries.formUnion(avoidCountries)
    merged.wishes = wishes + request.wishes
    if let traffic { merged.traffic = traffic.orLess(request.traffic) }
    if let speedCapMps {
      merged.speedCapMps = Double.minimum(speedCapMps, request.speedCapMps ?? speedCapMps)
    }
    return merged
  }

  /// The first field that is out of range, such as `wishes[2]`, and its problem; nil for none.
  public var fault: (field: String, sentence: String)? {
    guard wishes.count <= Self.mostWishes else {
      return ("wishes", "There are \(wishes.count) wishes; at most \(Self.mostWishes) are allowed.")
    }
    for (index, wish) in wishes.enumerated() {
      if let fault = wish.fault { return ("wishes[\(index)]", "The wish \(fault).") }
    }
    for country in avoidCountries.sorted()
    where country.utf8.count != 2 || !country.utf8.allSatisfy({ (65...90).contains($0) }) {
      return ("avoid_countries", "\(country) is not a country code of two capital letters.")
    }
    if let cap = speedCapMps, !(0.5...150).contains(cap) {
      return ("speed_cap_mps", "The speed cap is \(cap) m/s; it must be 0.5 to 150.")
    }
    return nil
  }

  public static let mostWishes = 64
}

extension TrafficUse {
  /// The more restrictive of two uses of traffic.
  fileprivate func orLess(_ other: TrafficUse) -> TrafficUse {
    let order = TrafficUse.allCases
    return (order.firstIndex(of: self) ?? 0) <= (order.firstIndex(of: other) ?? 0) ? self : other
  }
}
