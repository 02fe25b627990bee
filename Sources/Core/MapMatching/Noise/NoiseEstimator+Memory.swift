extension MatcherSnapshot {
  mutating func write(_ error: NoiseEstimator) {
    write(error.count)
    write(error.pairs)
    numbers += [error.squares, error.products, error.elapsedS]
    write(error.last) { snapshot, last in snapshot.numbers += [last.eastM, last.northM] }
  }

  mutating func readNoiseEstimator() throws(Damaged) -> NoiseEstimator {
    var error = NoiseEstimator()
    error.count = try readInt()
    error.pairs = try readInt()
    let counts = 0...(2 * NoiseEstimator.sampleCount)
    guard counts.contains(error.count), counts.contains(error.pairs) else { throw Damaged() }
    error.squares = try readDouble()
    error.products = try readDouble()
    error.elapsedS = try readDouble()
    error.last = try readOptional { (snapshot) throws(Damaged) in
      NoiseEstimator.Residual(eastM: try snapshot.readDouble(), northM: try snapshot.readDouble())
    }
    return error
  }
}
