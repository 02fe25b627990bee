public import Geodesy

/// Where map data are needed: around the vehicle, along its route, and in requested regions.
public struct RegionNeeds: Hashable, Sendable {
  public var vehicle: Coordinate?
  /// Radius around the vehicle in metres, at least 0.
  public var aroundM: Double
  /// Shape of the active route; empty without one.
  public var route: [Coordinate]
  /// Names of requested regions.
  public var requested: Set<String>

  public init(
    vehicle: Coordinate? = nil, aroundM: Double, route: [Coordinate] = [],
    requested: Set<String> = []
  ) {
    self.vehicle = vehicle
    self.aroundM = aroundM
    self.route = route
    self.requested = requested
  }

  /// The needed regions of a catalogue that are not installed, the most urgent first.
  ///
  /// Order: requested regions, the region of the vehicle, regions around it, regions along the route.
  /// Cost: boxes times points of the route.
  public func missing(in catalogue: RegionCatalogue, installed: Set<String>) -> [Region] {
    let offered = catalogue.regions.filter { !installed.contains($0.name) }
    guard !offered.isEmpty else { return [] }
    var found: [Region] = offered.filter { requested.contains($0.name) }
    var names = Set(found.map(\.name))
    func add(_ regions: [Region]) {
      for region in regions where names.insert(region.name).inserted { found.append(region) }
    }
    if let vehicle {
      add(offered.filter { $0.covers(vehicle) })
      let around = BoundingBox(around: [vehicle])?.expanded(byM: aroundM)
      if let around { add(offered.filter { $0.reaches(around) }) }
    }
    if let whole = BoundingBox(around: route) {
      let near = offered.filter { $0.reaches(whole) }
      let firsts = near.compactMap { region in
        route.firstIndex { region.covers($0) }.map { (region, $0) }
      }
      add(firsts.sorted { ($0.1, $0.0.name) < ($1.1, $1.0.name) }.map(\.0))
    }
    return found
  }
}
