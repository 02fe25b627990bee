public import Stage

/// The routes that pages were offered, by the vehicle that they show.
///
/// A page is sent whole routes but may send only short commands, so it follows a route by its
/// identity, whatever its length: the very route that it has shown.
public struct OfferedRoutes: Sendable {
  /// Routes kept for a vehicle: those of a few requests, with alternatives.
  public static let most = 12
  /// Bytes of the routes kept for a vehicle; the newest route is kept whatever its size.
  public static let mostBytes = 32 * 1024 * 1024

  /// A route in encoded form.
  public struct Offer: Sendable {
    public var id: String
    public var bytes: [UInt8]

    public init(id: String, bytes: [UInt8]) {
      self.id = id
      self.bytes = bytes
    }
  }

  /// By vehicle, the oldest first.
  private var offers: [String: [Offer]] = [:]

  public init() {}

  /// Keeps the routes of one reply, the best first, which is the last to be forgotten.
  public mutating func keep(_ routes: [Offer], vehicle: String) {
    var kept = offers[vehicle] ?? []
    for route in routes.reversed() {
      kept.removeAll { $0.id == route.id }
      kept.append(route)
    }
    while kept.count > 1,
      kept.count > Self.most || kept.reduce(0, { $0 + $1.bytes.count }) > Self.mostBytes
    {
      kept.removeFirst()
    }
    offers[vehicle] = kept
  }

  /// The route with an identity, in encoded form.
  ///
  /// - Throws: `unknown_route` if it was never offered, or is no longer kept.
  public func route(_ id: String, vehicle: String) throws(CallError) -> [UInt8] {
    guard let offer = offers[vehicle]?.last(where: { $0.id == id }) else {
      throw CallError(
        code: "unknown_route",
        message: "the route \"\(id)\" is not among those that were computed last: compute it again",
        field: "route_id")
    }
    return offer.bytes
  }

  /// Forgets the routes of a vehicle that no page shows any more.
  public mutating func forget(_ vehicle: String) { offers[vehicle] = nil }
}
