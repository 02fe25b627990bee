public import Messages
public import Route

extension RoutePolicy {
  /// Decodes the policy of a message; `fault` tells whether it can be used.
  public init(wire: WireRoutePolicy) {
    self.init(
      avoid: Set(wire.avoid.compactMap { Avoidance(rawValue: $0.rawValue) }),
      avoidCountries: Set(wire.avoidCountries),
      wishes: wire.wishes.map { RoutePreference(wire: $0) },
      traffic: wire.traffic.flatMap { TrafficUse(rawValue: $0.rawValue) },
      speedCapMps: wire.speedCapMps)
  }

  public var wire: WireRoutePolicy {
    WireRoutePolicy(
      avoid: Avoidance.allCases.filter { avoid.contains($0) }.compactMap {
        WireAvoidance(rawValue: $0.rawValue)
      },
      avoidCountries: avoidCountries.sorted(), wishes: wishes.map(\.wire),
      traffic: traffic.flatMap { WireRoutePolicy.Traffic(rawValue: $0.rawValue) },
      speedCapMps: speedCapMps)
  }
}
