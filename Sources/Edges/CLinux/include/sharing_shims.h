#ifndef NAVSTACK_SHARING_SHIMS_H
#define NAVSTACK_SHARING_SHIMS_H

#include <stdint.h>

// Local sockets that pass descriptors between processes of one user: SOCK_SEQPACKET at an abstract name; -1 with errno set.
//
// A peer of another user is refused with EACCES.

/// Listens at an abstract name, non-blocking.
int clinux_local_listen(const char *name);
/// Accepts a waiting peer of this user; -1 with EAGAIN if none waits.
int clinux_local_accept(int listener);
/// Connects to a listener of this user.
int clinux_local_connect(const char *name, int timeout_ms);
/// Sends one message, with a copy of the descriptor `passed` unless it is -1.
int64_t clinux_local_send(int fd, const uint8_t *bytes, int64_t count, int passed, int timeout_ms);
/// Receives one message and its descriptor (-1 if it has none); 0 at the end, -1 with EMSGSIZE for a longer one.
int64_t clinux_local_receive(int fd, uint8_t *bytes, int64_t capacity, int *passed, int timeout_ms);

/// The port that a socket is bound to; 0 if there is none.
uint16_t clinux_tcp_port(int fd);

#endif
