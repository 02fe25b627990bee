import ArgumentParser
import BusClient
import Foundation
import Messages

/// `nav go LAT,LON…`: navigates the vehicle to a place.
struct GoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "go",
    abstract: "Navigate from the vehicle's location to the last place, through the stops before it."
  )

  @Argument(help: "Places as LAT,LON; the last is the destination.")
  var places: [String]

  @Option(help: "car, truck, bus, taxi, scooter, bicycle or pedestrian.")
  var mode: String?

  @OptionGroup var stack: StackOptions

  func run() throws {
    let waypoints = try places.map { text in
      guard let parts = NegativeArguments.numbers(text), parts.count == 2, abs(parts[0]) <= 90,
        abs(parts[1]) <= 180
      else {
        throw Problem("\"\(text)\" is not a place; write LAT,LON in degrees, such as -33.86,151.2")
      }
      return WireWaypoint(latDeg: parts[0], lonDeg: parts[1])
    }
    let travelMode = try mode.map { word in
      guard let mode = WireTravelMode(rawValue: word) else {
        throw Problem("\"\(word)\" is not a travel mode")
      }
      return mode
    }
    let client = try stack.connect()
    defer { client.close() }
    let request = NavigateStartRequest(waypoints: waypoints, mode: travelMode)
    let timeoutS = Calls.declaration(of: NavigateStartRequest.call)?.timeoutS ?? 45
    switch client.callAndWait(
      NavigateStartRequest.call, vehicle: stack.vehicle, payload: request.encoded(),
      timeoutMS: UInt32(1000 * timeoutS))
    {
    case .ok(let payload):
      let reply = try NavigateStartReply(decoding: payload)
      print(
        String(
          format: "%@: %.1f km, %.0f min", reply.routeId, reply.lengthM / 1000,
          (reply.durationS / 60).rounded(.up)))
    case .failed(let code, let message, _):
      throw Problem("\(code): \(message)")
    }
  }
}
