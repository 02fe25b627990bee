public import Documents
import Geodesy
public import RoadGraph

/// A point of a trace: its position on the road, and its matching; nil if it is not matched.
public struct OSRMTracepoint: Hashable, Sendable {
  public var waypoint: OSRMWaypoint
  public var matching: Int
  /// Index among the places where the matching's legs end; nil for a place that is only passed.
  public var leg: Int?
  /// Other candidate places for the trace's point; 0 if it is certain.
  public var alternatives: Int

  public init(waypoint: OSRMWaypoint, matching: Int, leg: Int?, alternatives: Int = 0) {
    self.waypoint = waypoint
    self.matching = matching
    self.leg = leg
    self.alternatives = alternatives
  }
}

/// Seconds and metres from each source to each destination, row by row; nil if there is no path.
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

/// The response bodies, JSON in UTF-8.
extension OSRMRequest {
  /// Routes, the best first, and the snapped waypoints.
  public func response(
    routes: [OSRMRoute], waypoints: [OSRMWaypoint], on graph: RoadGraph
  ) -> [UInt8] {
    let writer = OSRMWriter(graph: graph, query: self)
    return ok { json in
      json.list("routes", routes) { writer.route(&$0, $1) }
      if givesWaypoints { json.list("waypoints", waypoints) { writer.waypoint(&$0, $1) } }
    }
  }

  /// The nearest places on roads, the nearest first.
  public func response(nearest: [OSRMWaypoint], on graph: RoadGraph) -> [UInt8] {
    let writer = OSRMWriter(graph: graph, query: self)
    return ok { json in
      json.list("waypoints", nearest) { json, one in
        writer.waypoint(&json, one) { json in
          let reference = graph.reference(one.position.edge)
          json.list("nodes", [reference.from, reference.to]) { $0.number(Int($1)) }
        }
      }
    }
  }

  public func response(
    table: OSRMTable, options: OSRMTableOptions, on graph: RoadGraph
  ) -> [UInt8] {
    let writer = OSRMWriter(graph: graph, query: self)
    let filled = table.filled(options, places: places.map(\.coordinate))
    return ok { json in
      if options.durations { filled.rows(&json, "durations", filled.durationsS) }
      if options.distances { filled.rows(&json, "distances", filled.distancesM) }
      if options.fallbackSpeedMps != nil {
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

  public func response(
    matchings: [OSRMRoute], tracepoints: [OSRMTracepoint?], on graph: RoadGraph
  ) -> [UInt8] {
    let writer = OSRMWriter(graph: graph, query: self)
    return ok { json in
      json.list("matchings", matchings) { writer.route(&$0, $1) }
      if givesWaypoints { writer.tracepoints(&json, tracepoints) }
    }
  }

  /// The answer for a trace that was matched without routes, with or without matchings.
  ///
  /// `origin` writes further members of the answer.
  public func response(
    matchings: [OSRMMatching], tracepoints: [OSRMTracepoint?], on graph: RoadGraph,
    origin: (inout JSONText) -> Void
  ) -> [UInt8] {
    let writer = OSRMWriter(graph: graph, query: self)
    var json = JSONText()
    json.object { json in
      if matchings.isEmpty {
        OSRMFault.unmatched.write(&json)
      } else {
        json.field("code", "Ok")
      }
      origin(&json)
      json.list("matchings", matchings) { writer.matching(&$0, $1) }
      writer.tracepoints(&json, tracepoints)
    }
    return json.bytes
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

extension OSRMWriter {
  fileprivate func tracepoints(_ json: inout JSONText, _ tracepoints: [OSRMTracepoint?]) {
    json.list("tracepoints", tracepoints) { json, point in
      guard let point else { return json.null() }
      waypoint(&json, point.waypoint) { json in
        json.field("matchings_index", point.matching)
        json.key("waypoint_index")
        if let leg = point.leg { json.number(leg) } else { json.null() }
        json.field("alternatives_count", point.alternatives)
      }
    }
  }
}

extension OSRMTable {
  /// Cells without a path, row by row.
  fileprivate var holes: [Int] { durationsS.indices.filter { durationsS[$0] == nil } }

  /// The table with straight lines if the options allow them, and with scaled times.
  fileprivate func filled(_ options: OSRMTableOptions, places: [Coordinate]) -> OSRMTable {
    var table = self
    if let speedMps = options.fallbackSpeedMps {
      let rows = options.sources ?? Array(places.indices)
      let columns = options.destinations ?? Array(places.indices)
      for hole in holes {
        let (row, column) = (hole / destinations.count, hole % destinations.count)
        let metres =
          options.fallbackIsSnapped
          ? sources[row].coordinate.distanceM(to: destinations[column].coordinate)
          : places[rows[row]].distanceM(to: places[columns[column]])
        table.distancesM[hole] = metres
        table.durationsS[hole] = metres / speedMps
      }
    }
    if options.scaleFactor != 1 {
      table.durationsS = table.durationsS.map { $0.map { $0 * options.scaleFactor } }
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
