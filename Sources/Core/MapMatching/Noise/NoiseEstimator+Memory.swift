extension MatcherSnapshot {
  mutating func write(_ error: NoiseEstimator) {
    write(error.count)
    write(error.pairs)
    numbers += [error.squares, error.products, error.elapsedS]
    write(error.last) { tape, last in tape.numbers += [last.eastM, last.northM] }
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
    error.last = try readOptional { (tape) throws(Damaged) in
      NoiseEstimator.Residual(eastM: try tape.readDouble(), northM: try tape.readDouble())
    }
    return error
  }
}
