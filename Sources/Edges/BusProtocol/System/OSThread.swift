import CLinux
import Glibc

/// A thread of the operating system, for loops that own sockets and block in poll.
public struct OSThread: Sendable {
  private let id: pthread_t

  private final class Body {
    let name: String
    let run: @Sendable () -> Void
    init(name: String, run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  /// Starts `run` on a new thread; `name` (15 bytes are shown) is for debuggers and `top -H`.
  public init(_ name: String, _ run: @escaping @Sendable () -> Void) {
    var id = pthread_t()
    let body = Unmanaged.passRetained(Body(name: name, run: run))
    let status = pthread_create(
      &id, nil,
      { argument in
        guard let argument else { return nil }
        let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        clinux_name_thread(body.name)
        body.run()
        return nil
      }, body.toOpaque())
    precondition(status == 0, "the machine cannot create another thread (errno \(status))")
    self.id = id
  }

  /// Waits for the thread's end; must be called once per thread.
  public func join() { pthread_join(id, nil) }
}
