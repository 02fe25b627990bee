import ArgumentParser
import BusClient
import BusProtocol
import Glibc
import Synchronization

/// Takes calls and answers none of them.
struct Serve: ParsableCommand {
  @Option var holding = 500

  func run() throws {
    let server = try BusProbe.client("probe-server")
    server.serve(["probe/hold"])
    // A caller that is quicker than this would be told that nobody serves.
    while server.serviceReports()?.contains(where: { $0.server == "probe-server" }) != true {
      usleep(10_000)
    }
    BusProbe.say("ready")
    var held = 0
    while let event = server.next(waitingMS: 60_000) {
      guard case .call = event else { continue }
      held += 1
      if held == holding { BusProbe.say("holding") }
    }
  }
}

/// Makes calls whenever a line comes in, and tells how they ended.
struct Call: ParsableCommand {
  @Option var count = 500

  func run() throws {
    let caller = try BusProbe.client("probe-caller")
    BusProbe.say("ready")
    while readLine() != nil {
      let ends = Ends()
      for _ in 0..<count {
        caller.call("probe/hold", payload: [0x80], timeoutMS: 30_000) { ends.count($0) }
      }
      // Ends come on the client's thread.
      while ends.number < count { usleep(1_000) }
      BusProbe.say(ends.summary)
    }
    caller.close()
  }
}

/// How many calls ended in which way.
private final class Ends: Sendable {
  private let codes = Mutex<[String: Int]>([:])

  var number: Int { codes.withLock { $0.values.reduce(0, +) } }

  var summary: String {
    let parts = codes.withLock { $0.sorted { $0.key < $1.key } }.map { "\"\($0.key)\":\($0.value)" }
    return "{\(parts.joined(separator: ","))}"
  }

  func count(_ end: CallEnd) {
    let code =
      switch end {
      case .ok: "ok"
      case .failed(let code, _, _): code
      }
    codes.withLock { $0[code, default: 0] += 1 }
  }
}

/// The standard input, line by line, without waiting for one.
final class LineInput {
  private(set) var isAtEnd = false
  private var left: [UInt8] = []

  init() { _ = fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK) }

  /// Whether a whole line has come.
  func takesLine() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    if count == 0 { isAtEnd = true }
    if count > 0 { left += buffer[..<count] }
    guard let end = left.firstIndex(of: UInt8(ascii: "\n")) else { return false }
    left.removeSubrange(...end)
    return true
  }
}
