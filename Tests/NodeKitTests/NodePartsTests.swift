import Glibc
import NodeKit
import Stage
import Testing

@Suite struct NodePartsTests {
  @Test func `percentiles are within a tenth`() {
    var histogram = LatencyHistogram()
    #expect(histogram.percentileMS(0.5) == nil)
    for number in 1...1_000 { histogram.add(nanoseconds: Int64(number) * 1_000_000) }
    let median = histogram.percentileMS(0.5) ?? 0
    let high = histogram.percentileMS(0.99) ?? 0
    #expect((500...550).contains(median))
    #expect((990...1_090).contains(high))
  }

  @Test func `the supervisor hears systemd's words`() throws {
    let path = "/tmp/navnotify.\(getpid())"
    unlink(path)
    defer { unlink(path) }
    let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    let notifier = Notifier(path: path)
    notifier.ready()
    notifier.status("two\nlines")
    notifier.watchdog()
    notifier.stopping()
    var words: [String] = []
    for _ in 0..<4 {
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      words.append(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
    }
    #expect(words == ["READY=1", "STATUS=two lines", "WATCHDOG=1", "STOPPING=1"])
    Notifier(path: nil).ready()
  }

  @Test func `a node's environment names what is wrong with it`() throws {
    let good = try NodeEnvironment(
      ["NAV_BUS": "ipc:///tmp/x", "NAV_NODE": "matcher", "NAV_VEHICLE": "a,b"], program: "p")
    #expect(good.name == "matcher")
    #expect(good.vehicles == ["a", "b"])
    #expect(good.isSupervised)
    let any = try NodeEnvironment(["NAV_BUS": "ipc:///tmp/x", "NAV_VEHICLE": "any"], program: "p")
    #expect(any.vehicles.isEmpty && any.name == "p" && !any.isSupervised)
    for (variables, word) in [
      ([:], "NAV_BUS is not set"),
      (["NAV_BUS": "tcp://h:1"], "insecure: yes"),
      (["NAV_BUS": "ipc:///tmp/x", "NAV_NODE": "A B"], "NAV_NODE"),
      (["NAV_BUS": "ipc:///tmp/x", "NAV_VEHICLE": "EGO"], "NAV_VEHICLE"),
    ] as [([String: String], String)] {
      let error = #expect(throws: StageFailure.self) {
        try NodeEnvironment(variables, program: "p")
      }
      #expect(error?.message.contains(word) == true)
    }
  }

  @Test func `a parameter file that cannot be read or is no map is refused by its name`() throws {
    for (path, content) in [("/tmp/navparams.none", nil), ("/tmp/navparams.\(getpid())", "[1")]
      as [(String, String?)]
    {
      if let content, let file = fopen(path, "w") {
        fputs(content, file)
        fclose(file)
      }
      defer { unlink(path) }
      let environment = try NodeEnvironment(
        ["NAV_BUS": "ipc:///tmp/x"], program: "p", parametersPath: path)
      let error = #expect(throws: StageFailure.self) { try environment.parameters(declared: []) }
      #expect(error?.message.hasPrefix(path) == true)
    }
  }
}
