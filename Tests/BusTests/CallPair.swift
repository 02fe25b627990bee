import BusClient
import BusProtocol
import Testing

/// A broker with a node that answers a call and one that makes it; both are known to the broker.
struct CallPair {
  let broker: TestBroker
  let server: BusClient
  let caller: BusClient

  init(serving name: String) throws {
    let broker = try TestBroker(try freshAddress())
    let server = try client("server", at: broker.address)
    let caller = try client("caller", at: broker.address)
    self.broker = broker
    self.server = server
    self.caller = caller
    server.serve([name])
    try #require(server.waitForBroker(timeoutMS: 5_000) && caller.waitForBroker(timeoutMS: 5_000))
    try #require(eventually { caller.serviceReports()?.first?.server == "server" })
  }

  func end() {
    server.close()
    caller.close()
    broker.end()
  }
}
