#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static int fail(int fd, int reason) {
  if (fd >= 0) close(fd);
  errno = reason;
  return -1;
}

static socklen_t abstract_address(const char *name, struct sockaddr_un *address) {
  size_t length = strlen(name);
  if (length == 0 || length >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return 0;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path + 1, name, length);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

static int is_of_this_user(int fd) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

int clinux_local_listen(const char *name) {
  struct sockaddr_un address;
  socklen_t size = abstract_address(name, &address);
  if (size == 0) return -1;
  int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  if (bind(fd, (struct sockaddr *)&address, size) < 0 || listen(fd, 64) < 0) return fail(fd, errno);
  return fd;
}

int clinux_local_accept(int listener) {
  int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return -1;
  return is_of_this_user(fd) ? fd : fail(fd, EACCES);
}

int clinux_local_connect(const char *name, int timeout_ms) {
  struct sockaddr_un address;
  socklen_t size = abstract_address(name, &address);
  if (size == 0) return -1;
  int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  // A listener whose queue is full blocks `connect`, no longer than this.
  struct timeval limit = {.tv_sec = timeout_ms / 1000, .tv_usec = timeout_ms % 1000 * 1000};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (connect(fd, (struct sockaddr *)&address, size) < 0) return fail(fd, errno);
  if (!is_of_this_user(fd)) return fail(fd, EACCES);
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0) return fail(fd, errno);
  return fd;
}

static int wait_until(int fd, short what, int timeout_ms) {
  struct pollfd item = {.fd = fd, .events = what};
  int ready;
  do ready = poll(&item, 1, timeout_ms);
  while (ready < 0 && errno == EINTR);
  if (ready == 0) errno = ETIMEDOUT;
  return ready > 0 ? 0 : -1;
}

int64_t clinux_local_send(int fd, const uint8_t *bytes, int64_t count, int passed, int timeout_ms) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = (size_t)count};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (passed >= 0) {
    message.msg_control = control.space;
    message.msg_controllen = sizeof control.space;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &passed, sizeof passed);
  }
  for (;;) {
    ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    if (sent >= 0) return sent;
    if (errno == EINTR) continue;
    if (errno != EAGAIN || timeout_ms <= 0 || wait_until(fd, POLLOUT, timeout_ms) < 0) return -1;
  }
}

int64_t clinux_local_receive(int fd, uint8_t *bytes, int64_t capacity, int *passed, int timeout_ms) {
  *passed = -1;
  for (;;) {
    struct iovec part = {.iov_base = bytes, .iov_len = (size_t)capacity};
    union {
      struct cmsghdr header;
      char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.space,
        .msg_controllen = sizeof control.space};
    ssize_t got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    if (got < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN || timeout_ms <= 0 || wait_until(fd, POLLIN, timeout_ms) < 0) return -1;
      continue;
    }
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof(int)))
      memcpy(passed, CMSG_DATA(header), sizeof *passed);
    if (message.msg_flags & MSG_TRUNC) {
      if (*passed >= 0) close(*passed);
      *passed = -1;
      errno = EMSGSIZE;
      return -1;
    }
    return got;
  }
}

uint16_t clinux_tcp_port(int fd) {
  struct sockaddr_in at;
  socklen_t length = sizeof at;
  if (getsockname(fd, (struct sockaddr *)&at, &length) < 0 || at.sin_family != AF_INET) return 0;
  return ntohs(at.sin_port);
}
