import Foundations
import Geodesy

extension MatcherSnapshot {
  mutating func write(_ shared: CorrelatedErrorFilter) {
    write(shared.error.eastM)
    write(shared.error.northM)
    write(shared.doubt.eastM2)
    write(shared.doubt.northM2)
    write(shared.doubt.eastNorthM2)
    write(shared.acrossM2)
    write(shared.count)
    write(shared.time) { $0.write($1) }
  }

  mutating func readCorrelatedErrorFilter() throws(Damaged) -> CorrelatedErrorFilter {
    let error = PlanePoint(eastM: try readDouble(), northM: try readDouble())
    let doubt = CorrelatedErrorFilter.ErrorCovariance(
      eastM2: try readDouble(), northM2: try readDouble(), eastNorthM2: try readDouble())
    let shared = CorrelatedErrorFilter(
      error: error, doubt: doubt, acrossM2: try readDouble(), count: try readInt(),
      time: try readOptional { (snapshot) throws(Damaged) in try snapshot.readInstant() })
    guard let shared else { throw Damaged() }
    return shared
  }
}
