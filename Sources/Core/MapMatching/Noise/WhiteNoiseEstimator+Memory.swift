import Foundations
import Geodesy

extension MatcherSnapshot {
  mutating func write(_ noise: WhiteNoiseEstimator) {
    write(noise.count)
    write(noise.squareM2)
    for neighbour in [noise.before, noise.newest] {
      write(neighbour) { snapshot, neighbour in
        snapshot.write(neighbour.place)
        snapshot.write(neighbour.time)
      }
    }
  }

  mutating func readWhiteNoiseEstimator() throws(Damaged) -> WhiteNoiseEstimator {
    let count = try readInt()
    let squareM2 = try readDouble()
    guard (0...WhiteNoiseEstimator.memoryCount).contains(count), squareM2 >= 0, squareM2.isFinite
    else {
      throw Damaged()
    }
    return WhiteNoiseEstimator(
      before: try readNeighbour(), newest: try readNeighbour(), squareM2: squareM2, count: count)
  }

  private mutating func readNeighbour() throws(Damaged) -> WhiteNoiseEstimator.Neighbour? {
    try readOptional { (snapshot) throws(Damaged) in
      let place = try snapshot.readPlace()
      guard place.isValid else { throw Damaged() }
      return WhiteNoiseEstimator.Neighbour(place: place, time: try snapshot.readInstant())
    }
  }
}
