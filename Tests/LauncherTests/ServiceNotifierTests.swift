import Testing

@testable import Launcher

@Suite struct ServiceNotifierTests {
  @Test(arguments: [
    (["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "10000000"], true, 5.0),
    (["NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "7"], true, 5.0),
    (["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "8"], true, nil),
    (["NOTIFY_SOCKET": "/run/x"], true, nil),
    (["NOTIFY_SOCKET": "vsock:2:1"], false, nil),
    (["WATCHDOG_USEC": "10000000"], false, nil),
  ])
  func `a service manager is there where it says so`(
    environment: [String: String], isThere: Bool, everyS: Double?
  ) {
    let manager = ServiceNotifier(environment, process: 7)
    #expect(manager.isThere == isThere)
    #expect(manager.signEveryS == everyS)
  }
}
