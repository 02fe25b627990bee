import BusProtocol
import Foundations
import Stage

/// The type-erased stage values of one node, one for each vehicle.
///
/// Every harness runs stages through this, so that all of them behave the same.
protocol StageHosting: AnyObject {
  var manifest: Manifest { get }
  /// In order of creation.
  var vehicles: [String] { get }
  var vehicleCount: Int { get }
  /// The vehicles of some slots, in order of creation; linear in all vehicles.
  func vehicles(in slots: SlotSet) -> [String]
  /// Number of vehicles of each slot.
  var countsBySlot: [Int] { get }
  func has(_ vehicle: String) -> Bool
  /// Vehicles with no message and no call for `seconds` of stack time, in order.
  ///
  /// Vehicles without any message count from the first call of this function. Linear in the
  /// vehicles.
  func silent(forS seconds: Double, at now: Instant) -> [String]

  /// Creates the stage value of a vehicle; false if it is already present.
  func admit(_ vehicle: String) -> Bool
  /// Drops the stage value of a vehicle; false where there was none.
  func drop(_ vehicle: String) -> Bool
  func handle(_ event: EncodedEvent, vehicle: String) throws(Refusal) -> [EncodedOutput]
  func savedState(of vehicle: String) -> [UInt8]?
  func restore(_ state: [UInt8], vehicle: String) throws(Refusal)
  func handOverState(of vehicle: String) -> [UInt8]?
  func takeOver(_ state: [UInt8], vehicle: String) throws(Refusal)

  /// Files and folders of the stage's map.
  func maps(_ parameters: Parameters) -> [String]
  /// Returns a function that reloads the shared part; it may run on any thread.
  func reloading(_ parameters: Parameters) -> @Sendable () -> Result<any Sendable, StageFailure>
  /// Gives all stage values a reloaded shared part; returns their outputs in order.
  func changeMap(to new: any Sendable) -> [(vehicle: String, outputs: [EncodedOutput])]
}

final class StageHost<S: Stage>: StageHosting {
  private var shared: S.Shared
  private var seats: [String: StageBox] = [:]
  private var seatCount = 0
  /// The names in order; nil if the list must be recomputed.
  private var order: [String]? = []

  /// The box of one vehicle's stage, so that the value is changed in place.
  private final class StageBox {
    var stage: S
    let number: Int
    let slot: Int
    /// Number of its events; counted if it is handed over after a number of events.
    var events = 0
    /// Stack time of the newest message or call; nil if there was none yet.
    var lastHeard: Instant?

    init(_ stage: S, number: Int, slot: Int) {
      self.stage = stage
      self.number = number
      self.slot = slot
    }
  }

  /// Number of events of a vehicle after which its stage is handed over to a fresh one, as in a
  /// swap.
  ///
  /// This is a test of `handOverState`, since nothing may change by it.
  private let handsOverEvery: Int?

  init(_ shared: S.Shared, handsOverEvery: Int? = nil) {
    self.shared = shared
    self.handsOverEvery = handsOverEvery
  }

  var manifest: Manifest { S.manifest }

  var vehicleCount: Int { seats.count }

  var vehicles: [String] {
    if let order { return order }
    let made = seats.sorted { $0.value.number < $1.value.number }.map(\.key)
    order = made
    return made
  }

  func vehicles(in slots: SlotSet) -> [String] {
    var found: [(number: Int, vehicle: String)] = []
    for (vehicle, seat) in seats where slots.contains(seat.slot) {
      found.append((seat.number, vehicle))
    }
    return found.sorted { $0.number < $1.number }.map(\.vehicle)
  }

  var countsBySlot: [Int] {
    var counts = [Int](repeating: 0, count: SlotSet.count)
    for seat in seats.values { counts[seat.slot] += 1 }
    return counts
  }

  func has(_ vehicle: String) -> Bool { seats[vehicle] != nil }

  func silent(forS seconds: Double, at now: Instant) -> [String] {
    var silent: [(number: Int, vehicle: String)] = []
    for (vehicle, seat) in seats {
      let last = seat.lastHeard ?? now
      seat.lastHeard = last
      if now.seconds(since: last) > seconds { silent.append((seat.number, vehicle)) }
    }
    return silent.sorted { $0.number < $1.number }.map(\.vehicle)
  }

  func admit(_ vehicle: String) -> Bool {
    guard seats[vehicle] == nil else { return false }
    seatCount += 1
    seats[vehicle] = StageBox(
      S(vehicle: vehicle, shared: shared), number: seatCount,
      slot: SlotSet.slot(of: vehicle.utf8))
    order?.append(vehicle)
    return true
  }

  func drop(_ vehicle: String) -> Bool {
    guard seats.removeValue(forKey: vehicle) != nil else { return false }
    order = nil
    return true
  }

  func handle(_ event: EncodedEvent, vehicle: String) throws(Refusal) -> [EncodedOutput] {
    guard let seat = seats[vehicle] else { return [] }
    if let stamp = event.heardAt { seat.lastHeard = stamp }
    if let handsOverEvery {
      seat.events += 1
      if seat.events % handsOverEvery == 0, let whole = seat.stage.handOverState {
        seat.stage = S(vehicle: vehicle, shared: shared)
        try seat.stage.takeOver(whole)
      }
    }
    return try seat.stage.receive(event)
  }

  func savedState(of vehicle: String) -> [UInt8]? { seats[vehicle]?.stage.savedState }

  func restore(_ state: [UInt8], vehicle: String) throws(Refusal) {
    _ = admit(vehicle)
    try seats[vehicle]?.stage.restore(state)
  }

  func handOverState(of vehicle: String) -> [UInt8]? { seats[vehicle]?.stage.handOverState }

  func takeOver(_ state: [UInt8], vehicle: String) throws(Refusal) {
    _ = admit(vehicle)
    try seats[vehicle]?.stage.takeOver(state)
  }

  func maps(_ parameters: Parameters) -> [String] { S.maps(parameters) }

  func reloading(_ parameters: Parameters) -> @Sendable () -> Result<any Sendable, StageFailure> {
    let old = shared
    return {
      do throws(StageFailure) {
        return .success(try S.load(parameters, replacing: old))
      } catch {
        return .failure(error)
      }
    }
  }

  func changeMap(to new: any Sendable) -> [(vehicle: String, outputs: [EncodedOutput])] {
    // `reloading` returns this type; another one would be a defect, and changes nothing.
    guard let new = new as? S.Shared else { return [] }
    shared = new
    return vehicles.map { ($0, seats[$0]?.stage.receiveMap(new) ?? []) }
  }
}

extension EncodedEvent {
  /// Stack time of a message or a call: a sign that the vehicle is in use.
  fileprivate var heardAt: Instant? {
    switch self {
    case .message(let message): message.stamp
    case .call(let request): request.stamp
    default: nil
    }
  }
}
