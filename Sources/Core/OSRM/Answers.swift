import Geodesy
public import RoadGraph

/// The places of a trace: a place on the road, and in which matching; nil where it fits none.
public struct OSRMTracepoint: Hashable, Sendable {
  public var waypoint: OSRMWaypoint
  public var matching: Int
  /// Index of the place among those at which the matching's legs end; nil for one that is only passed.
  public var leg: Int?
  /// Other places of the trace's point on ways that may yet be the true one; 0 where it is sure.
  public var alternatives: Int

  public init(waypoint: OSRMWaypoint, matching: Int, leg: Int?, alternatives: Int = 0) {
    self.waypoint = waypoint
    self.matching = matching
    self.leg = leg
    self.alternatives = alternatives
  }
}

/// Seconds and metres from each source to each destination, row by row; nil where no way leads.
public struct OSRMTable: Hashable, Sendable {
  public var sources: [OSRMWaypoint]
  public var destinations: [OSRMWaypoint]
  public var durationsS: [Double?]
  public var distancesM: [Double?]

  public init(
    sources: [OSRMWaypoint], destinations: [OSRMWaypoint], durationsS: [Double?],
    distancesM: [Double?]
  ) {
    self.sources = sources
    self.destinations = destinations
    self.durationsS = durationsS
    self.distancesM = distancesM
  }
}

/// The answers' bodies, JSON in UTF-8.
extension OSRMQuestion {
  /// Routes, the best first, and the places on the road.
  public func answer(
    routes: [OSRMRoute], waypoints: [OSRMWaypoint], on graph: RoadGraph
  ) -> [UInt8] {
    let writer = OSRMWriter(graph: graph, question: self)
    return ok { json in
      json.list("routes", routes) { writer.route(&$0, $1) }
      if givesWaypoints { json.list("waypoints", waypoints) { writer.waypoint(&$0, $1) } }
    }
  }

  /// The nearest places on roads, the nearest first.
  public func answer(nearest: [OSRMWaypoint], on graph: RoadGraph) -> [UInt8] {
    let writer = OSRMWriter(graph: graph, question: self)
    return ok { json in
      json.list("waypoints", nearest) { json, one in
        writer.waypoint(&json, one) { json in
          let reference = graph.reference(one.position.edge)
          json.list("nodes", [reference.from, reference.to]) { $0.number(Int($1)) }
        }
      }
    }
  }

  public func answer(
    table: OSRMTable, wish: OSRMTableWish, on graph: RoadGraph
  ) -> [UInt8] {
    let writer = OSRMWriter(graph: graph, question: self)
    let filled = table.filled(wish, places: places.map(\.coordinate))
    return ok { json in
      if wish.durations { filled.rows(&json, "durations", filled.durationsS) }
      if wish.distances { filled.rows(&json, "distances", filled.distancesM) }
      if wish.fallbackSpeedMps != nil {
        json.list("fallback_speed_cells", table.holes) { json, hole in
          json.array {
            $0.number(hole / table.destinations.count)
            $0.number(hole % table.destinations.count)
          }
        }
      }
      if givesWaypoints {
        json.list("sources", table.sources) { writer.waypoint(&$0, $1) }
        json.list("destinations", table.destinations) { writer.waypoint(&$0, $1) }
      }
    }
  }

  public func answer(
    matchings: [OSRMRoute], tracepoints: [OSRMTracepoint?], on graph: RoadGraph
  ) -> [UInt8] {
    let writer = OSRMWriter(graph: graph, question: self)
    return ok { json in
      json.list("matchings", matchings) { writer.route(&$0, $1) }
      guard givesWaypoints else { return }
      json.list("tracepoints", tracepoints) { json, point in
        guard let point else { return json.null() }
        writer.waypoint(&json, point.waypoint) { json in
          json.field("matchings_index", point.matching)
          json.key("waypoint_index")
          if let leg = point.leg { json.number(leg) } else { json.null() }
          json.field("alternatives_count", point.alternatives)
        }
      }
    }
  }

  private func ok(_ body: (inout JSONText) -> Void) -> [UInt8] {
    var json = JSONText()
    json.object { json in
      json.field("code", "Ok")
      body(&json)
    }
    return json.bytes
  }
}

extension OSRMTable {
  /// Cells that no way leads to, row by row.
  fileprivate var holes: [Int] { durationsS.indices.filter { durationsS[$0] == nil } }

  /// The table with straight lines where the wish allows them, and times scaled.
  fileprivate func filled(_ wish: OSRMTableWish, places: [Coordinate]) -> OSRMTable {
    var table = self
    if let speedMps = wish.fallbackSpeedMps {
      let rows = wish.sources ?? Array(places.indices)
      let columns = wish.destinations ?? Array(places.indices)
      for hole in holes {
        let (row, column) = (hole / destinations.count, hole % destinations.count)
        let metres =
          wish.fallbackIsSnapped
          ? sources[row].coordinate.distanceM(to: destinations[column].coordinate)
          : places[rows[row]].distanceM(to: places[columns[column]])
        table.distancesM[hole] = metres
        table.durationsS[hole] = metres / speedMps
      }
    }
    if wish.scaleFactor != 1 {
      table.durationsS = table.durationsS.map { $0.map { $0 * wish.scaleFactor } }
    }
    return table
  }

  fileprivate func rows(_ json: inout JSONText, _ name: StaticString, _ cells: [Double?]) {
    json.list(name, sources.indices) { json, row in
      json.array { json in
        for column in destinations.indices {
          guard let cell = cells[row * destinations.count + column] else {
            json.null()
            continue
          }
          json.number(cell)
        }
      }
    }
  }
}
