import CZeroMQ
import Glibc
import Testing

@testable import BusProtocol
@testable import ZMQ

/// What a loop waits for is seen as soon as it is there, though sockets are asked only in doubt.
@Suite struct SocketPollerTests {
  /// Two ends of one line, in one process.
  private struct Line: ~Copyable {
    let here: Socket
    let there: Socket

    init(_ context: Context) throws {
      let here = try Socket(.pair, in: context)
      let there = try Socket(.pair, in: context)
      try here.bind("inproc://line")
      try there.connect("inproc://line")
      self.here = here
      self.there = there
    }
  }

  private func isReady(
    _ readiness: inout SocketPoller, _ place: Int, within timeoutMS: Int = 2_000, except: Int? = nil
  ) throws -> Bool {
    // What makes no sign of its own is seen without waiting; a sign that says nothing may come before.
    let deadline = MonotonicTime.now.advanced(byMS: Int64(timeoutMS))
    repeat {
      try readiness.wait(timeoutMS: deadline.millisecondsLeft(), except: except)
      if readiness[place] { return true }
    } while deadline > .now
    return false
  }

  @Test func `what lay there before anybody waited is seen at once`() throws {
    let line = try Line(Context())
    try line.there.send([[1]])
    line.here.processPeerEvents()
    var readiness = SocketPoller()
    let place = readiness.add(line.here)
    let began = MonotonicTime.now
    #expect(try isReady(&readiness, place))
    #expect(MonotonicTime.now.milliseconds(since: began) < 1_000)
  }

  @Test func `each of several messages is seen, though they made one sign`() throws {
    let line = try Line(Context())
    var readiness = SocketPoller()
    let place = readiness.add(line.here)
    try readiness.wait(timeoutMS: 0)
    for number: UInt8 in 0..<5 { try line.there.send([[number]]) }
    for number: UInt8 in 0..<5 {
      #expect(try isReady(&readiness, place))
      #expect(try line.here.receive() == [[number]])
    }
    // The doubt ends with the first wait that finds nothing.
    let began = MonotonicTime.now
    #expect(try !isReady(&readiness, place, within: 60))
    #expect(MonotonicTime.now.milliseconds(since: began) >= 59)
    try line.there.send([[9]])
    #expect(try isReady(&readiness, place))
  }

  @Test func `what libzmq saw while a socket was used is found where the user says so`() throws {
    let line = try Line(Context())
    var readiness = SocketPoller()
    let place = readiness.add(line.here)
    #expect(try !isReady(&readiness, place, within: 20))
    try line.there.send([[1]])
    // The use takes the sign away, and leaves the message.
    line.here.processPeerEvents()
    readiness.doubt(place)
    #expect(try isReady(&readiness, place))
  }

  @Test func `a descriptor is ready while it is signalled`() throws {
    let bell = try ThreadWaker()
    var readiness = SocketPoller()
    let place = readiness.add(bell.descriptor)
    #expect(try !isReady(&readiness, place, within: 5))
    bell.signal()
    #expect(try isReady(&readiness, place))
    #expect(try isReady(&readiness, place))
    bell.drain()
    #expect(try !isReady(&readiness, place, within: 5))
  }

  @Test func `a socket that is left out does not wake, and is seen later`() throws {
    let line = try Line(Context())
    var readiness = SocketPoller()
    let bell = try ThreadWaker()
    let left = readiness.add(bell.descriptor)
    let place = readiness.add(line.here)
    try line.there.send([[1]])
    let began = MonotonicTime.now
    #expect(try !isReady(&readiness, left, within: 60, except: place))
    #expect(MonotonicTime.now.milliseconds(since: began) >= 59)
    #expect(try isReady(&readiness, place))
    #expect(try line.here.receive() == [[1]])
  }

  @Test func `a link that comes or goes ends the wait`() throws {
    let context = try Context()
    let name = "ipc:///tmp/nav-link-\(getpid())-\(wallClockNS())"
    let dealer = try Socket(.dealer, in: context)
    try dealer.refuseUnconnected()
    try dealer.connect(name)
    var readiness = SocketPoller()
    let place = readiness.add(dealer)
    #expect(!readiness.canSend(place))
    let deadline = MonotonicTime.now.advanced(byMS: 10_000)
    func waitFor(_ isLinked: Bool) throws {
      while readiness.canSend(place) != isLinked, deadline > .now {
        try readiness.wait(timeoutMS: deadline.millisecondsLeft())
      }
    }
    for _ in 0..<2 {
      let router = try Socket(.router, in: context)
      try router.bind(name)
      try waitFor(true)
      _ = consume router
      try waitFor(false)
    }
    #expect(deadline > .now)
    unlink(String(name.dropFirst(6)))
  }

  @Test func `a socket that does not answer is no socket without input`() throws {
    let context = try Context()
    let line = try Line(context)
    var readiness = SocketPoller()
    let place = readiness.add(line.here)
    try readiness.wait(timeoutMS: 0)
    zmq_ctx_shutdown(context.handle)
    readiness.doubt(place)
    for _ in 0..<2 {
      do throws(BusError) {
        try readiness.wait(timeoutMS: 1_000)
        Issue.record("a failed question passed for no input")
      } catch {
        #expect(error.call == .get && error.errno == zmqTerminated, "\(error)")
      }
    }
  }

  /// ETERM, which is a macro that Swift does not see.
  private let zmqTerminated: Int32 = 156_384_765

  @Test func `a closed descriptor is reported, and not waited for without end`() throws {
    // Far above what the tests beside it open and close.
    let bell = try ThreadWaker()
    let closed = fcntl(bell.descriptor, F_DUPFD_CLOEXEC, 1_000)
    try #require(closed >= 1_000)
    var readiness = SocketPoller()
    readiness.add(closed)
    var items = [PollItem(descriptor: closed)]
    close(closed)
    do throws(BusError) {
      try readiness.wait(timeoutMS: 1_000)
      Issue.record("a closed descriptor passed for a ready one")
    } catch {
      #expect(error.errno == EBADF && error.description.contains("\(closed)"), "\(error)")
    }
    do throws(BusError) {
      try poll(&items, timeoutMS: 1_000)
      Issue.record("a closed descriptor passed for a ready one")
    } catch {
      #expect(error.errno == EBADF && error.description.contains("\(closed)"), "\(error)")
    }
    // A loop that must go on pauses, and the failure is counted.
    let before = FailedWaits.count
    let began = MonotonicTime.now
    #expect(!pollOrPause(&items, timeoutMS: 1_000))
    #expect(MonotonicTime.now.milliseconds(since: began) >= Int64(FailedWaits.pauseMS))
    #expect(FailedWaits.count > before)
    #expect(FailedWaits.last?.call == .poll)
  }
}
