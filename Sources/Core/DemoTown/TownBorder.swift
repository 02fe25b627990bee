import Foundations
import MapMaking

extension TownMaker {
  /// The border west of the town, and the village behind it.
  mutating func buildBorder() {
    let control = canvas.node(
      -2300, 0, ["barrier": "border_control", "name": "Westmark Crossing"])
    let square = canvas.node(-2700, 10)
    guard let ring = grid.rings[TownGridPoint(column: TownGrid.west, row: TownGrid.high)] else {
      return
    }
    let start = canvas.nearest(ring, to: control)
    let tags: OSMTags = [
      "highway": "primary", "name": names.reserve("Border Road"), "ref": "A1", "maxspeed": "80",
      "lanes": "2", "surface": "asphalt",
    ]
    canvas.way([start] + canvas.arc(start, control, bulge: 0.03, points: 3) + [control], tags)
    canvas.way([control] + canvas.arc(control, square, bulge: -0.03, points: 3) + [square], tags)
    buildVillage(square)
    country("XA", "Eastmark", state: "Harbourshire", from: -2300, to: 4200)
    country("XB", "Westmark", state: "Millshire", from: -4200, to: -2300)
  }

  private mutating func buildVillage(_ square: Int64) {
    guard let ring = grid.rings[TownGridPoint(column: -1, row: 99)] else { return }
    let top = canvas.nearest(ring, to: square)
    canvas.way(
      [square] + canvas.arc(square, top, bulge: 0.06, points: 7) + [top],
      [
        "highway": "secondary", "name": names.reserve("Westmark Road"), "maxspeed": "80",
        "lanes": "2", "surface": "asphalt",
      ])
    var last = square
    for (east, north) in [(-2860.0, -120.0), (-2700, -260), (-2540, -130)] {
      let next = canvas.node(east, north)
      street(last, next)
      last = next
    }
    street(last, square)
  }

  private mutating func street(_ a: Int64, _ b: Int64) {
    canvas.way(
      [a] + canvas.arc(a, b, bulge: 0.06 * random.swing(), points: 2) + [b],
      [
        "highway": "residential", "name": names.next(TownNames.streets, &random), "maxspeed": "30",
        "surface": "asphalt",
      ])
  }

  private mutating func country(
    _ code: String, _ name: String, state: String, from west: Double, to east: Double
  ) {
    let ring = [(west, -3200.0), (east, -3200), (east, 2600), (west, 2600)].map {
      canvas.node($0.0, $0.1)
    }
    let closed = ring + ring.prefix(1)
    canvas.way(
      closed,
      [
        "boundary": "administrative", "admin_level": "2", "name": name, "ISO3166-1:alpha2": code,
      ])
    canvas.way(
      closed, ["boundary": "administrative", "admin_level": "4", "name": state])
  }
}
