import RoadNumbering

/// Assigns the routes of a way to its numbers.
struct RoadNumberMatcher {
  let texts: [String]
  let country: String?
  let state: String?
  let classLevel: Int

  /// The attributes that the routes add to each number, in the order of the numbers.
  ///
  /// A network that is already part of the number's text is left out.
  func routes(of memberships: [RoadNumbers.Membership]) -> [RouteRelationNumber] {
    if memberships.isEmpty { return [] }
    return texts.map { text in
      let plain = network(text, nil)
      let found = memberships.compactMap { membership in
        rank(membership, text, plain).map { (rank: $0, membership: membership) }
      }
      // Among equal ones the first counts, but one with a direction takes precedence.
      let best = found.max { a, b in
        (a.rank, a.membership.direction == nil ? 0 : 1)
          < (b.rank, b.membership.direction == nil ? 0 : 1)
      }
      guard let route = best?.membership else { return RouteRelationNumber() }
      let isNews = network(text, route.network) != plain
      return RouteRelationNumber(network: isNews ? route.network : nil, direction: route.direction)
    }
  }

  /// The level of the first number by its network; nil if only the road's class determines it.
  func firstLevel(_ routes: [RouteRelationNumber]) -> Int? {
    texts.first.flatMap { network($0, routes.first?.network)?.level }
  }

  /// How well a route fits a number; nil if it belongs to another number.
  private func rank(
    _ membership: RoadNumbers.Membership, _ text: String, _ plain: RoadNumberNetwork?
  ) -> Int? {
    let routed = membership.network.flatMap { RoadNumberNetwork.id(routeNetwork: $0) }
    let isSameNetwork = routed != nil && routed == plain?.id
    if let ref = membership.ref {
      guard RoadNumber.isSame(text, routeRef: ref) else { return nil }
      if isSameNetwork { return 3 }
      // `US 1` is not part of California's route 1. Bare numbers do not name a network.
      let isOther = routed != nil && plain?.isExplicit == true
      return isOther ? nil : 2
    }
    if isSameNetwork { return 1 }
    return texts.count == 1 && plain?.isExplicit != true ? 0 : nil
  }

  private func network(_ text: String, _ routeNetwork: String?) -> RoadNumberNetwork? {
    RoadNumberNetwork(
      number: text, country: country, state: state, routeNetwork: routeNetwork,
      classLevel: classLevel)
  }
}
