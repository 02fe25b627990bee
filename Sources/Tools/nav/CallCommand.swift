import ArgumentParser
import Bus
import MessagePack
import Messages

/// `nav call NAME JSON`: makes a call and prints its end.
struct CallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call", abstract: "Make a call; without a request its services are listed.")

  @Argument(help: "Name of the call, or list.")
  var name: String

  @Argument(help: "Request as JSON, with the keys of Protocols/.")
  var request = "{}"

  @Option(help: "Seconds to wait for the answer; what the contract says where it is not given.")
  var timeout: Double?

  @OptionGroup var stack: StackOptions

  func run() throws {
    let client = try stack.connect()
    defer { client.close() }
    if name == "list" { return try list(client) }
    let bytes = try MessagePackValue(json: request).encoded()
    let declared = Calls.all.first { $0.name == name }
    if let declared {
      do {
        _ = try declared.request.init(decoding: bytes)
      } catch {
        throw Problem("\(name): \(error)")
      }
    }
    let seconds = timeout ?? declared?.timeoutS ?? 10
    switch client.callAndWait(
      name, vehicle: stack.vehicle, payload: bytes, timeoutMS: UInt32(seconds * 1000))
    {
    case .ok(let payload):
      print(try MessagePackValue(decoding: payload).json(indented: !stack.json))
    case .failed(let code, let message, let field):
      throw Problem("\(code): \(message)\(field.map { " (\($0))" } ?? "")")
    }
  }

  private func list(_ client: BusClient) throws {
    guard let services = client.serviceReports() else {
      throw Problem("the broker does not answer")
    }
    for service in services.sorted(by: { $0.name < $1.name }) {
      print(
        stack.json
          ? try Lines.json(service)
          : Lines.columns([
            service.name, service.server.isEmpty ? "none" : service.server,
            "\(service.calls) calls", "\(service.failures) failed",
          ]))
    }
  }
}
