public import Foundations
public import Geodesy
public import Positioning

/// The fixes of one vehicle on a drawn map, in the order of their times.
///
/// A picture has each fix as a number, in a copy of the map's drawing:
///
///     let map = try DrawnMap(
///       """
///       a-----b-----c
///             |
///             d
///       """,
///       ways: ["abc": "", "bd": ""])
///     let fixes = try DrawnTrace(
///       """
///       a-1-2-3-----c
///             4
///             d
///       """, on: map, everyS: 10
///     ).fixes
///
/// A line through points of the map gives fixes at a steady speed, also next to the road:
///
///     var trace = DrawnTrace(on: map, hasMotion: true)
///     try trace.drive("abd", speedMps: 10, leftM: 4)
///
/// Each further picture, line or period at one point continues after the last fix.
public struct DrawnTrace {
  /// The time of the first fix.
  public static let start = Instant(seconds: 1_790_000_000)

  /// The fixes so far, which tests may change.
  public var fixes: [Fix] = []
  /// The time of the next fix.
  public var now = Self.start
  private let map: DrawnMap
  private let accuracyM: Double?
  private let hasMotion: Bool

  /// A trace without fixes.
  ///
  /// Each fix reports `accuracyM` metres, or no accuracy if nil. If `hasMotion`, it also reports
  /// the speed and the bearing of its movement; otherwise its place and time only.
  public init(on map: DrawnMap, accuracyM: Double? = nil, hasMotion: Bool = false) {
    self.map = map
    self.accuracyM = accuracyM
    self.hasMotion = hasMotion
  }

  /// The fixes of a picture, one every `everyS` seconds; see `draw`.
  public init(
    _ drawing: String, on map: DrawnMap, everyS: Double = 1, accuracyM: Double? = nil,
    hasMotion: Bool = false
  ) throws {
    self.init(on: map, accuracyM: accuracyM, hasMotion: hasMotion)
    try draw(drawing, everyS: everyS)
  }

  /// The fixes of a picture, each at its own number of seconds after `start`; see `draw`.
  public init(
    _ drawing: String, on map: DrawnMap, atS seconds: [Double], accuracyM: Double? = nil,
    hasMotion: Bool = false
  ) throws {
    self.init(on: map, accuracyM: accuracyM, hasMotion: hasMotion)
    let places = try places(drawing)
    guard seconds.count == places.count else {
      throw TraceDrawingFault.times(seconds.count, fixes: places.count)
    }
    add(places, at: seconds.map { Self.start.advanced(bySeconds: $0) })
    now = now.advanced(bySeconds: (seconds.max() ?? 0) + 1)
  }

  /// Adds the fixes of a picture, one every `everyS` seconds.
  ///
  /// The fixes are the numbers 1, 2, 3 and so on, each at the cell of its first digit. Letters must
  /// be where the map has them; a number may cover one. Other characters have no meaning, except
  /// that the picture has as many lines and columns as the map's. The reported speed and bearing
  /// are those of the straight line to the next fix, for the last fix those of the line to it.
  public mutating func draw(_ drawing: String, everyS: Double = 1) throws {
    let places = try places(drawing)
    add(places, at: places.indices.map { now.advanced(bySeconds: everyS * Double($0)) })
    now = now.advanced(bySeconds: everyS * Double(places.count))
  }

  /// Adds the fixes of a drive at a steady speed along the straight lines through `points`, one
  /// every `everyS` seconds.
  ///
  /// Points are letters and digits of the map. The first fix is at the first point, and the last
  /// one at most one step before the last point. `leftM` moves the line to the left of the
  /// direction of travel, or to the right if negative; corners stay corners.
  public mutating func drive(
    _ points: String, speedMps: Double, everyS: Double = 1, leftM: Double = 0
  ) throws {
    let line = Polyline(try line(points, leftM: leftM))
    guard speedMps > 0, everyS > 0 else { throw TraceDrawingFault.noLine(points) }
    var offsetM = 0.0
    while offsetM <= line.lengthM, let place = line.coordinate(atM: offsetM) {
      add(place, bearingDeg: line.bearingDeg(atM: offsetM), speedMps: speedMps)
      now = now.advanced(bySeconds: everyS)
      offsetM += speedMps * everyS
    }
  }

  /// Adds one fix per second at a place, with a speed of 0 and without a bearing.
  public mutating func stop(at place: Coordinate, seconds: Int) {
    for _ in 0..<seconds {
      add(place, bearingDeg: nil, speedMps: 0)
      now = now.advanced(bySeconds: 1)
    }
  }

  private mutating func add(_ place: Coordinate, bearingDeg: Double?, speedMps: Double?) {
    fixes.append(
      Fix(
        place: place, time: now, bearingDeg: hasMotion ? bearingDeg : nil,
        speedMps: hasMotion ? speedMps : nil, accuracyM: accuracyM))
  }

  private mutating func add(_ places: [Coordinate], at times: [Instant]) {
    for index in places.indices {
      let from = places.count > 1 ? min(index, places.count - 2) : index
      var fix = Fix(place: places[index], time: times[index], accuracyM: accuracyM)
      if hasMotion, from + 1 < places.count {
        let lengthM = places[from].distanceM(to: places[from + 1])
        fix.speedMps = lengthM / times[from + 1].seconds(since: times[from])
        fix.bearingDeg = lengthM > 0 ? places[from].bearingDeg(to: places[from + 1]) : nil
      }
      fixes.append(fix)
    }
  }
}

// MARK: Reading a picture, and lines next to a road

extension DrawnTrace {
  private func places(_ drawing: String) throws -> [Coordinate] {
    let lines = DrawingGrid.lines(drawing)
    let columnCount = DrawingGrid.columnCount(lines)
    guard lines.count == map.grid.lineCount, columnCount == map.grid.columnCount else {
      throw TraceDrawingFault.size(
        lines: lines.count, columns: columnCount, mapLines: map.grid.lineCount,
        mapColumns: map.grid.columnCount)
    }
    var places: [Int: Coordinate] = [:]
    for (line, text) in lines.enumerated() {
      var digits = ""
      for (column, character) in (text + " ").enumerated() {
        if character.isASCII, character.isNumber {
          digits.append(character)
          continue
        }
        if let number = Int(digits) {
          guard number > 0 else { throw TraceDrawingFault.zero }
          let place = map.grid.coordinate(line: line, column: column - digits.count)
          guard places.updateValue(place, forKey: number) == nil else {
            throw TraceDrawingFault.repeated(number)
          }
        }
        digits = ""
        if character.isASCII, character.isLetter,
          try map.coordinate(character) != map.grid.coordinate(line: line, column: column)
        {
          throw TraceDrawingFault.displaced(character)
        }
      }
    }
    guard let last = places.keys.max() else { throw TraceDrawingFault.noFix }
    return try (1...max(1, last)).map { number in
      guard let place = places[number] else { throw TraceDrawingFault.missing(number) }
      return place
    }
  }

  private func line(_ points: String, leftM: Double) throws -> [Coordinate] {
    let places = try points.map { map.grid.plane.point(try map.coordinate($0)) }
    let left = zip(places, places.dropFirst()).map { a, b in
      let lengthM = a.distanceM(to: b)
      return PlanePoint(
        eastM: -(b.northM - a.northM) / lengthM, northM: (b.eastM - a.eastM) / lengthM)
    }
    guard let first = left.first, let last = left.last,
      left.allSatisfy({ $0.eastM.isFinite && $0.northM.isFinite })
    else { throw TraceDrawingFault.noLine(points) }
    var line: [PlanePoint] = []
    for (place, sides) in zip(places, zip([first] + left, left + [last])) {
      let (before, after) = sides
      let cosine = before.eastM * after.eastM + before.northM * after.northM
      // A turn back has no corner: the line changes to the other side of the road.
      let corners =
        cosine > -0.99
        ? [
          PlanePoint(
            eastM: (before.eastM + after.eastM) / (1 + cosine),
            northM: (before.northM + after.northM) / (1 + cosine))
        ] : [before, after]
      line += corners.map {
        PlanePoint(
          eastM: place.eastM + leftM * $0.eastM, northM: place.northM + leftM * $0.northM)
      }
    }
    return line.map { map.grid.plane.coordinate($0) }
  }
}
