#if THREAD_SANITIZER
  import Glibc

  /// The mutex of the C library in place of the standard library's, for builds with the thread sanitizer.
  ///
  /// The sanitizer cannot see the standard library's mutex, and reports everything that it guards
  /// as races.
  struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
    // Safe: the lock ensures that one thread at a time uses it; the pointers never change.
    private nonisolated(unsafe) let lock: UnsafeMutablePointer<pthread_mutex_t>
    private nonisolated(unsafe) let value: UnsafeMutablePointer<Value>

    init(_ initial: consuming sending Value) {
      lock = .allocate(capacity: 1)
      pthread_mutex_init(lock, nil)
      value = .allocate(capacity: 1)
      value.initialize(to: initial)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(lock)
      lock.deallocate()
    }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return try body(&value.pointee)
    }

    borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
      guard pthread_mutex_trylock(lock) == 0 else { return nil }
      defer { pthread_mutex_unlock(lock) }
      return try body(&value.pointee)
    }
  }
#endif
