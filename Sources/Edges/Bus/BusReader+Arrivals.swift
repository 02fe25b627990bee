// Subscriptions that are on their way to the broker.
extension BusReader {
  mutating func hearSync(_ payload: [UInt8]) {
    guard let head = try? Control(decoding: payload), let token = head.token else { return }
    // A standby has the same name and numbers of its own.
    if let run = head.run, run != client.configuration.run { return }
    heardSync = max(heardSync, token)
  }

  mutating func welcomeArrivals() {
    guard !arrivals.isEmpty else { return }
    for arrival in arrivals where arrival.isInPlace(heardSync) { arrival.whenReady() }
    let heard = heardSync
    arrivals.removeAll { $0.isInPlace(heard) }
  }
}

extension BusReader.Arrival {
  func isInPlace(_ heardSync: UInt64) -> Bool {
    waitsFor.isEmpty && syncToken > 0 && syncToken <= heardSync
  }
}
