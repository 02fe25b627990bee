#ifndef NAVSTACK_TCP_SHIMS_H
#define NAVSTACK_TCP_SHIMS_H

#include <stdint.h>

// TCP: descriptors are non-blocking and closed on exec; -1 with errno set.

/// Closes a descriptor.
void clinux_close(int fd);

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
