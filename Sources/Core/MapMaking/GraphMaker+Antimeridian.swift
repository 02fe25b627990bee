extension GraphMaker {
  /// Joins roads that OSM splits at the antimeridian.
  ///
  /// Nodes at longitudes 180 and -180 degrees with equal latitude are the same place. The road on
  /// the western side takes over the node of the eastern one. Cost is linear in the number of road
  /// nodes.
  mutating func joinAcrossAntimeridian() {
    let end: Int32 = 1_800_000_000
    var easternmost: [Int32: Int64] = [:]
    for index in 0..<nodes.count where nodes.longitude[index] == end {
      easternmost[nodes.latitude[index]] = nodes.ids[index]
    }
    guard !easternmost.isEmpty else { return }
    var same: [Int64: Int64] = [:]
    for index in 0..<nodes.count where nodes.longitude[index] == -end {
      same[nodes.ids[index]] = easternmost[nodes.latitude[index]]
    }
    guard !same.isEmpty else { return }
    for index in references.indices {
      if let id = same[references[index]] { references[index] = id }
    }
  }
}
