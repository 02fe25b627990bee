import ArgumentParser
import BusClient
import BusProtocol
import MessagePack
import Messages

/// `nav call NAME JSON`: makes a call and prints its end.
struct CallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call", abstract: "Make a call, or list the calls that can be made.")

  @Argument(help: "Name of the call, or list.")
  var name: String

  @Argument(help: "Request as JSON, with the keys of Protocols/.")
  var request = "{}"

  @Option(help: "Seconds to wait for the answer; default: the timeout of the contract.")
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
      let hint = code == "no_such_service" ? hint(client) : ""
      throw Problem("\(code): \(message)\(field.map { " (\($0))" } ?? "")\(hint)")
    }
  }

  /// The call that was probably meant, from the contract or from a running node.
  private func hint(_ client: BusClient) -> String {
    let served = (client.serviceReports() ?? []).filter { !$0.server.isEmpty }.map(\.name)
    let names = Set(Calls.all.map(\.name) + served).filter { !$0.hasPrefix("_") }
    if names.contains(name) {
      return
        "; the contract contains this call; `nav call list` prints the calls that are answered here"
    }
    guard let nearest = Suggestion.nearest(to: name, among: names) else {
      return "; `nav call list` prints the calls that are answered"
    }
    return " (did you mean \"\(nearest)\"?)"
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
