#ifndef NAVSTACK_TCP_SHIMS_H
#define NAVSTACK_TCP_SHIMS_H

#include <stdint.h>

// TCP and epoll for a server of many connections: descriptors are non-blocking and closed on exec; -1 with errno set.

/// What a descriptor is watched for, and what became true of it.
enum {
  CLINUX_READABLE = 1,
  CLINUX_WRITABLE = 2,
  /// The other side has gone; always told.
  CLINUX_GONE = 4,
};

/// A descriptor of which something became true, by the token that it was watched with.
struct clinux_event {
  uint64_t token;
  int what;
};

/// Closes a descriptor.
void clinux_close(int fd);

int clinux_epoll(void);
/// Watches a descriptor, or changes what it is watched for; closing it ends the watch.
int clinux_epoll_watch(int epoll, int fd, uint64_t token, int what, int is_new);
/// Waits for at most `timeout_ms` (-1 for ever); how many events were written.
int clinux_epoll_wait(int epoll, struct clinux_event *events, int capacity, int timeout_ms);

/// Listens at an IPv4 address given in dotted form; port 0 takes a free one, told in `actual`.
int clinux_tcp_listen(const char *address, uint16_t port, uint16_t *actual);
/// The next connection that waits; -1 with EAGAIN where there is none.
int clinux_tcp_accept(int listener);
/// Begins to connect to a host by name or number; its addresses are tried until one takes the connection in time.
///
/// -1 with errno set, ENOENT where the name is not known.
int clinux_tcp_connect(const char *host, uint16_t port, int timeout_ms);
/// Reads up to `capacity` bytes within the time; 0 at the end, -1 with errno set (ETIMEDOUT).
int64_t clinux_tcp_read(int fd, uint8_t *bytes, int64_t capacity, int timeout_ms);
/// Writes some of the bytes within the time; how many.
int64_t clinux_tcp_write(int fd, const uint8_t *bytes, int64_t count, int timeout_ms);

#endif
