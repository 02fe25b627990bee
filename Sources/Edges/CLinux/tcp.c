#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void clinux_close(int fd) { close(fd); }

static int close_keeping_errno(int fd) {
  int saved = errno;
  close(fd);
  errno = saved;
  return -1;
}

int clinux_tcp_listen(const char *address, uint16_t port, uint16_t *actual) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
  if (inet_pton(AF_INET, address, &at.sin_addr) != 1) {
    errno = EADDRNOTAVAIL;
    return -1;
  }
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  int yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  socklen_t length = sizeof at;
  if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0 || listen(fd, 512) < 0 ||
      getsockname(fd, (struct sockaddr *)&at, &length) < 0)
    return close_keeping_errno(fd);
  *actual = ntohs(at.sin_port);
  return fd;
}

int clinux_tcp_accept(int listener) {
  int fd = clinux_accept(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return -1;
  int yes = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return fd;
}

static int wait_for(int fd, short what, int timeout_ms) {
  struct pollfd item = {.fd = fd, .events = what};
  int ready;
  do ready = poll(&item, 1, timeout_ms);
  while (ready < 0 && errno == EINTR);
  if (ready == 0) errno = ETIMEDOUT;
  return ready > 0 ? 0 : -1;
}

static int connect_to(const struct addrinfo *to, int timeout_ms) {
  int fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  if (connect(fd, to->ai_addr, to->ai_addrlen) == 0) return fd;
  if (errno != EINPROGRESS || wait_for(fd, POLLOUT, timeout_ms) < 0)
    return close_keeping_errno(fd);
  int error = 0;
  socklen_t length = sizeof error;
  getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
  if (error == 0) return fd;
  errno = error;
  return close_keeping_errno(fd);
}

int clinux_tcp_connect(const char *host, uint16_t port, int timeout_ms) {
  char service[8];
  snprintf(service, sizeof service, "%u", port);
  struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
  struct addrinfo *found = NULL;
  if (getaddrinfo(host, service, &wanted, &found) != 0) {
    errno = ENOENT;
    return -1;
  }
  int fd = -1;
  int64_t end_ms = clinux_monotonic_ns() / 1000000 + timeout_ms;
  for (struct addrinfo *one = found; one && fd < 0; one = one->ai_next) {
    int64_t left_ms = end_ms - clinux_monotonic_ns() / 1000000;
    if (left_ms <= 0) {
      errno = ETIMEDOUT;
      break;
    }
    fd = connect_to(one, (int)left_ms);
  }
  int saved = errno;
  freeaddrinfo(found);
  errno = saved;
  return fd;
}

int64_t clinux_tcp_read(int fd, uint8_t *bytes, int64_t capacity, int timeout_ms) {
  for (;;) {
    ssize_t got = recv(fd, bytes, (size_t)capacity, 0);
    if (got >= 0) return got;
    if (errno == EINTR) continue;
    if (errno != EAGAIN || timeout_ms <= 0 || wait_for(fd, POLLIN, timeout_ms) < 0) return -1;
  }
}

int64_t clinux_tcp_write(int fd, const uint8_t *bytes, int64_t count, int timeout_ms) {
  for (;;) {
    ssize_t sent = send(fd, bytes, (size_t)count, MSG_NOSIGNAL);
    if (sent >= 0) return sent;
    if (errno == EINTR) continue;
    if (errno != EAGAIN || timeout_ms <= 0 || wait_for(fd, POLLOUT, timeout_ms) < 0) return -1;
  }
}
