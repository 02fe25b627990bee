import CLinux

/// One client's connection: what it sent, what it is answered, and until when it must have moved on.
struct HTTPConnection: ~Copyable {
  enum Stage {
    /// Waiting for a request, or for the rest of one.
    case reading
    /// A worker has its request.
    case answering
    case writing
  }

  let descriptor: Int32
  /// Tells the answer for this connection from one for another that had the same place before.
  let number: UInt64
  var stage = Stage.reading
  var reader = HTTPReader()
  var answer: [UInt8] = []
  var sent = 0
  /// The connection ends when the answer is out.
  var isLast = false
  /// Monotonic nanoseconds at which the connection is given up; far away while a worker has the request.
  var deadline: Int64
  var patience: HTTPPatience?
  var requests = 0

  init(descriptor: Int32, number: UInt64, deadline: Int64) {
    self.descriptor = descriptor
    self.number = number
    self.deadline = deadline
  }

  deinit { clinux_close(descriptor) }

  enum Reading {
    case nothing
    case some
    case end
  }

  /// Takes what has come, at most one buffer full.
  mutating func read() -> Reading {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16 * 1024) { space in
      let got = clinux_tcp_read(descriptor, space.baseAddress, Int64(space.count), 0)
      if got > 0 {
        reader.feed(UnsafeBufferPointer(start: space.baseAddress, count: Int(got)))
        return .some
      }
      return got == 0 || !HTTPSocket.wouldBlock ? .end : .nothing
    }
  }

  /// Sends what the client takes; true when all is out, nil where it has gone.
  mutating func write() -> Bool? {
    while sent < answer.count {
      let count = answer.withUnsafeBufferPointer { bytes in
        clinux_tcp_write(
          descriptor, bytes.baseAddress.map { $0 + sent }, Int64(bytes.count - sent), 0)
      }
      if count < 0 { return HTTPSocket.wouldBlock ? false : nil }
      sent += Int(count)
    }
    answer = []
    sent = 0
    return true
  }
}
