import RoadGraph
import Route

/// User-defined places.
struct CustomRule: ObjectRule {
  func objects(on way: PathView) -> [RoadObject] {
    let custom = way.map.custom
    guard !custom.touches.isEmpty else { return [] }
    var found: [RoadObject] = []
    // For each place whose zone reaches the end of the previous edge, the index of that zone in
    // `found`.
    var open: [Int: Int] = [:]
    for (index, edge) in way.path.edges.enumerated() {
      var stillOpen: [Int: Int] = [:]
      for touch in custom.touches[edge] ?? [] {
        let place = custom.places[touch.place]
        let isPoint = touch.fromM == touch.toM
        let endM = way.path.startsM[index] + touch.toM
        let number: Int
        if !isPoint, touch.fromM < 0.01, let before = open[touch.place] {
          found[before].endM = endM
          number = before
        } else {
          var object = way.point(
            place.kind, id: "\(place.kind.rawValue)/\(place.id)", on: index,
            offsetM: touch.fromM, text: place.text)
          object.key = place.id
          object.limitMps = place.limitMps
          if !isPoint { object.endM = endM }
          found.append(object)
          number = found.count - 1
        }
        if !isPoint, touch.toM > way.graph.lengthM(edge) - 0.01 {
          stillOpen[touch.place] = number
        }
      }
      open = stillOpen
    }
    return found
  }
}
