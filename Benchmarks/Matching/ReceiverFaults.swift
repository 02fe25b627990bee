import Foundations
import Geodesy
import Positioning
import RoadGraph

/// A receiver that is wrong now and then as real ones are: two minutes apart, each fault in turn, between good fixes.
struct ReceiverFaults {
  private enum Fault: CaseIterable {
    /// The last place again and again, with new times.
    case frozen
    /// One place some 100 km away.
    case far
    /// Latitude 0, longitude 0.
    case origin
    /// One place some 300 m aside.
    case aside
    /// No speed while the vehicle drives.
    case zeroSpeed
    /// The course north.
    case zeroBearing
    /// The speed in km/h.
    case speedInKMH

    var durationS: Double {
      switch self {
      case .frozen: 20
      case .far, .aside: 1
      case .origin: 3
      case .zeroSpeed, .zeroBearing, .speedInKMH: 40
      }
    }

    var movesPlace: Bool {
      switch self {
      case .frozen, .far, .origin, .aside: true
      case .zeroSpeed, .zeroBearing, .speedInKMH: false
      }
    }
  }

  /// Seconds from one fault to the next.
  private static let periodS = 120.0
  /// The fault with which the drive begins.
  private let first: Int
  private var last: Fix?

  init(seed: UInt64) { first = Int(seed % UInt64(Fault.allCases.count)) }

  /// What the receiver tells instead of `fix`, `second` seconds after the start; whether its place is wrong.
  mutating func applied(to fix: Fix, second: Double) -> (fix: Fix, isDisplaced: Bool) {
    let count = Int(second / Self.periodS)
    let fault = Fault.allCases[(count + first) % Fault.allCases.count]
    // The first half of each period is good.
    let since = second - Double(count) * Self.periodS - Self.periodS / 2
    guard since >= 0, since < fault.durationS else {
      last = fix
      return (fix, false)
    }
    var reported = fix
    switch fault {
    case .frozen: reported.place = last?.place ?? fix.place
    case .far: reported.place.latitudeDeg += 0.9
    case .origin: reported.place = Coordinate(latitudeDeg: 0, longitudeDeg: 0)
    case .aside: reported.place.latitudeDeg += 0.0027
    case .zeroSpeed: reported.speedMps = 0
    case .zeroBearing: reported.bearingDeg = 0
    case .speedInKMH: reported.speedMps = fix.speedMps.map { $0 * 3.6 }
    }
    return (reported, fault.movesPlace)
  }
}
