#ifndef NAVSTACK_CLINUX_H
#define NAVSTACK_CLINUX_H

#include <stddef.h>
#include <stdint.h>

#include "sharing_shims.h"
#include "spawn_shims.h"
#include "tcp_shims.h"

// What Swift cannot import from Linux: each function wraps one system facility and
// returns a value >= 0, or -1 with errno set.

/// A new eventfd: non-blocking, closed on exec.
int clinux_eventfd(void);
/// Makes an eventfd readable; safe in signal handlers and from any thread.
int clinux_eventfd_signal(int fd);
/// Makes an eventfd unreadable until it is signalled again.
int clinux_eventfd_drain(int fd);

/// From now on SIGTERM and SIGINT signal the eventfd `fd` and do nothing else;
/// SIGPIPE is ignored.
int clinux_route_stop_signals(int fd);

/// From now on SIGHUP signals the eventfd `fd` and does nothing else.
int clinux_route_reload_signal(int fd);

/// Has the kernel send `signal` to this process when the parent's spawning thread ends.
int clinux_set_parent_death_signal(int signal);

/// Sends one datagram to a Unix socket; a leading '@' means the abstract namespace.
int clinux_send_datagram(const char *path, const char *text, size_t length);

/// A bound, non-blocking datagram Unix socket: what a notify supervisor listens on.
int clinux_datagram_listen(const char *path);
/// Reads one datagram: its length, or -1 with EAGAIN where there is none.
int64_t clinux_datagram_receive(int fd, char *buffer, size_t capacity);

/// Takes an exclusive lock on the file, made where it is missing; the lock ends with the
/// descriptor. -1 with EWOULDBLOCK where another process holds it.
int clinux_lock_file(const char *path);

/// Raises the soft limit of open descriptors to the hard limit; returns the resulting limit.
int64_t clinux_raise_descriptor_limit(void);
/// Returns the maximum number of descriptors that this process may have open.
int64_t clinux_descriptor_limit(void);
/// Returns the number of connections that were closed at once because descriptors ran out.
int64_t clinux_refused_connections(void);
/// `accept4` that reserves the last descriptors for the process itself.
///
/// When only those are left, it closes the connection and returns -1 with EMFILE.
struct sockaddr;
int clinux_accept(int listener, struct sockaddr *address, unsigned int *length, int flags);

/// Names the calling thread for debuggers; at most 15 bytes are kept.
void clinux_name_thread(const char *name);

/// Nanoseconds of the monotonic clock.
int64_t clinux_monotonic_ns(void);
/// Nanoseconds since 1970 of the machine's clock.
int64_t clinux_wall_ns(void);
/// Nanoseconds of processor time this process has used.
int64_t clinux_cpu_ns(void);
/// Bytes of memory resident for this process; 0 where unknown.
int64_t clinux_resident_bytes(void);
/// Up to so many bytes that this process has freed stay with it, and lists smaller than a quarter of that
/// take them: what is asked for again and again is then not asked of the system, which clears each page.
void clinux_keep_freed_memory(int64_t bytes);

#endif
