#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_llong refused;
static atomic_int spare = -1;

int64_t clinux_refused_connections(void) { return atomic_load(&refused); }

int64_t clinux_raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return INT64_MAX;
  if (limit.rlim_cur < limit.rlim_max) {
    rlim_t soft = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = soft;
  }
  if (atomic_load(&spare) < 0) atomic_store(&spare, open("/dev/null", O_RDONLY | O_CLOEXEC));
  return limit.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur;
}

int64_t clinux_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > INT64_MAX) return INT64_MAX;
  return (int64_t)limit.rlim_cur;
}

// The last descriptors are reserved for what the process itself opens. Clients never get them.
static int is_reserved(int fd) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  rlim_t reserve = limit.rlim_cur / 8 > 64 ? 64 : limit.rlim_cur / 8;
  return (rlim_t)fd >= limit.rlim_cur - reserve;
}

int clinux_accept(int listener, struct sockaddr *address, socklen_t *length, int flags) {
  int fd = (int)syscall(SYS_accept4, listener, address, length, flags);
  if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
    // Without a free descriptor, the waiting client would be reported forever. The spare descriptor
    // is used to accept and close it.
    int held = atomic_exchange(&spare, -1);
    if (held >= 0) {
      close(held);
      int gone = (int)syscall(SYS_accept4, listener, NULL, NULL, SOCK_CLOEXEC);
      if (gone >= 0) close(gone);
      atomic_store(&spare, open("/dev/null", O_RDONLY | O_CLOEXEC));
    }
    atomic_fetch_add(&refused, 1);
    errno = EMFILE;
    return -1;
  }
  if (fd < 0 || !is_reserved(fd)) return fd;
  close(fd);
  atomic_fetch_add(&refused, 1);
  errno = EMFILE;
  return -1;
}

// libzmq ends the process if a listener gets no descriptor for a client. These two functions
// override those of the C library. They report that the client went away, which libzmq tolerates.
__attribute__((visibility("default"))) int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
  int fd = clinux_accept(listener, address, length, flags);
  if (fd < 0 && errno == EMFILE) errno = ECONNABORTED;
  return fd;
}

__attribute__((visibility("default"))) int accept(int listener, struct sockaddr *address, socklen_t *length) {
  return accept4(listener, address, length, 0);
}
