import Geodesy
import MapMaking

extension TownMaker {
  /// A market beyond the town's corner, where many rules depend on the hour and on the vehicle.
  ///
  /// Built last, so that the rest of the town keeps its ids.
  mutating func buildMarket() {
    guard let corner = grid.crossing.first?.last else { return }
    let p = canvas.point(corner)
    func at(_ eastM: Double, _ northM: Double) -> Int64 {
      canvas.node(p.eastM + eastM, p.northM + northM)
    }
    let gate = at(-70, 30)
    let square = at(-150, 40)
    let quay = at(-150, 120)
    let arch = at(-70, 120)
    let end = at(-230, 80)
    let street: OSMTags = ["highway": "residential", "surface": "asphalt", "maxspeed": "50"]
    func named(_ name: String, _ more: KeyValuePairs<String, String>) -> OSMTags {
      var tags = street
      tags["name"] = names.reserve(name)
      for (key, value) in more { tags[key] = value }
      return tags
    }
    let court = canvas.way([corner, gate], named("Market Court", [:]))
    canvas.way(
      [gate, square],
      named(
        "Market Place",
        [
          "highway": "pedestrian", "surface": "sett",
          "motor_vehicle:conditional": "delivery @ (Mo-Sa 06:00-10:00)",
        ]))
    let low = canvas.way(
      [gate, arch], named("Low Arch", ["maxheight": "2.8", "maxweight": "3.5 t"]))
    canvas.way(
      [arch, quay],
      named(
        "Tide Lane",
        [
          "oneway": "reversible",
          "oneway:conditional": "yes @ (00:00-12:00); -1 @ (12:00-24:00)",
        ]))
    canvas.way([arch, at(-110, 150), quay], named("Quay Street", [:]))
    canvas.way(
      [square, quay],
      named(
        "Night Lane",
        [
          "maxspeed:conditional": "30 @ (22:00-06:00)",
          "motor_vehicle:conditional": "no @ (Su 10:00-18:00)",
        ]))
    canvas.way(
      [quay, end],
      named(
        "Pool Road",
        [
          "highway": "tertiary", "oneway": "yes", "lanes": "2", "hov": "designated",
          "change:lanes": "not_right|not_left", "bus:lanes": "|designated", "toll:hgv": "yes",
        ]))
    canvas.way([end, square], named("Back Lane", ["highway": "tertiary", "oneway": "yes"]))
    canvas.restriction(
      "no_right_turn", from: court, via: OSMMember(.node, gate, role: "via"), to: low,
      when: "Mo-Fr 07:00-09:00")
  }
}
