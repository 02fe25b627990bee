import BusProtocol

/// The watched vehicles of a fleet, for a node that works on demand.
///
/// A vehicle is watched while an attachment watches it, or while another node or socket subscribes
/// to one of the topics in `Manifest.demandedBy`. It is also watched for a while after a call for
/// it. It has no clock of its own: times are passed in.
struct Demand: Hashable {
  /// Vehicles whose topics to subscribe to from now on, and vehicles whose topics to unsubscribe
  /// from.
  struct Change: Hashable {
    var begun: [String]
    var ended: [String]
  }

  /// Milliseconds for which a vehicle stays watched after its last watcher has left.
  ///
  /// A page that is reloaded finds everything in place.
  static let lingerMS: Int64 = 5_000
  /// Milliseconds for which a call keeps its vehicle watched.
  static let callMS: Int64 = 60_000

  /// Topics without the vehicle; a node or socket that reads one of them watches the vehicle.
  let leaves: [String]
  private var watchers: [String: Int] = [:]
  private var readers: Set<String> = []
  private var leases: [String: MonotonicTime] = [:]
  /// The vehicles whose topics are subscribed to; `*` for all.
  private(set) var subscribed: Set<String> = []

  init(leaves: [String]) { self.leaves = leaves }

  /// Whether messages of a vehicle are wanted.
  func includes(_ vehicle: String) -> Bool {
    subscribed.contains(vehicle) || subscribed.contains(TopicName.anyVehicle)
  }

  mutating func watch(_ vehicle: String) { watchers[vehicle, default: 0] += 1 }

  mutating func unwatch(_ vehicle: String, at now: MonotonicTime) {
    guard let count = watchers[vehicle] else { return }
    watchers[vehicle] = count > 1 ? count - 1 : nil
    if count == 1 { lease(vehicle, forMS: Self.lingerMS, at: now) }
  }

  /// Keeps a vehicle watched for at least `ms` milliseconds.
  mutating func lease(_ vehicle: String, forMS ms: Int64, at now: MonotonicTime) {
    let end = now.advanced(byMS: ms)
    leases[vehicle] = max(end, leases[vehicle] ?? end)
  }

  /// Sets the vehicles whose topics others read; `*` stands for all.
  mutating func setReaders(_ vehicles: [String]) {
    readers = Set(
      vehicles.filter { $0 == TopicName.anyVehicle || TopicName.isValidVehicle($0) })
  }

  /// Returns the change of demand up to `now`; nil for none.
  mutating func drainChange(at now: MonotonicTime) -> Change? {
    leases = leases.filter { $0.value > now }
    let wanted = readers.union(watchers.keys).union(leases.keys)
    guard wanted != subscribed else { return nil }
    let change = Change(
      begun: wanted.subtracting(subscribed).sorted(), ended: subscribed.subtracting(wanted).sorted()
    )
    subscribed = wanted
    return change
  }
}
