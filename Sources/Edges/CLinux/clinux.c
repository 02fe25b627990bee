#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_eventfd_signal(int fd) {
  uint64_t one = 1;
  int saved = errno;
  ssize_t written = write(fd, &one, sizeof one);
  if (written == (ssize_t)sizeof one || errno == EAGAIN) {
    errno = saved;
    return 0;
  }
  return -1;
}

int clinux_eventfd_drain(int fd) {
  uint64_t count;
  ssize_t got = read(fd, &count, sizeof count);
  return (got == (ssize_t)sizeof count || errno == EAGAIN) ? 0 : -1;
}

// Written before the handlers are installed, only read by them.
static volatile sig_atomic_t stop_fd = -1;

static void on_stop(int signal) {
  (void)signal;
  clinux_eventfd_signal(stop_fd);
}

int clinux_route_stop_signals(int fd) {
  stop_fd = fd;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_stop;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGTERM, &action, NULL) != 0) return -1;
  if (sigaction(SIGINT, &action, NULL) != 0) return -1;
  // Whoever started this process may have had them blocked, and a child inherits that.
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGTERM);
  sigaddset(&stops, SIGINT);
  if (sigprocmask(SIG_UNBLOCK, &stops, NULL) != 0) return -1;
  action.sa_handler = SIG_IGN;
  return sigaction(SIGPIPE, &action, NULL);
}

// Written before the handler is installed, only read by it.
static volatile sig_atomic_t reload_fd = -1;

static void on_reload(int signal) {
  (void)signal;
  clinux_eventfd_signal(reload_fd);
}

int clinux_route_reload_signal(int fd) {
  reload_fd = fd;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_reload;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGHUP, &action, NULL);
}

int clinux_set_parent_death_signal(int signal) {
  return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
}

static socklen_t unix_address(const char *path, struct sockaddr_un *address) {
  size_t length = strlen(path);
  if (length == 0 || length >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return 0;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, length);
  if (path[0] == '@') {
    address->sun_path[0] = 0;
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
  }
  return (socklen_t)sizeof *address;
}

int clinux_send_datagram(const char *path, const char *text, size_t length) {
  struct sockaddr_un address;
  socklen_t size = unix_address(path, &address);
  if (size == 0) return -1;
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  // A supervisor that is held up must not hold up who reports to it.
  int flags = MSG_NOSIGNAL | MSG_DONTWAIT;
  ssize_t sent = sendto(fd, text, length, flags, (struct sockaddr *)&address, size);
  int saved = errno;
  close(fd);
  errno = saved;
  return sent == (ssize_t)length ? 0 : -1;
}

int clinux_datagram_listen(const char *path) {
  struct sockaddr_un address;
  socklen_t size = unix_address(path, &address);
  if (size == 0) return -1;
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  if (path[0] != '@') unlink(path);
  if (bind(fd, (struct sockaddr *)&address, size) != 0) {
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
  }
  return fd;
}

int64_t clinux_datagram_receive(int fd, char *buffer, size_t capacity) {
  return recv(fd, buffer, capacity, MSG_DONTWAIT);
}

int clinux_lock_file(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return -1;
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
  }
  return fd;
}

void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

static int64_t clock_ns(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) return 0;
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clinux_monotonic_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
int64_t clinux_wall_ns(void) { return clock_ns(CLOCK_REALTIME); }
int64_t clinux_cpu_ns(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }

int64_t clinux_resident_bytes(void) {
  FILE *file = fopen("/proc/self/statm", "re");
  if (file == NULL) return 0;
  long long total = 0, resident = 0;
  int fields = fscanf(file, "%lld %lld", &total, &resident);
  fclose(file);
  return fields == 2 ? (int64_t)resident * sysconf(_SC_PAGESIZE) : 0;
}

void clinux_keep_freed_memory(int64_t bytes) {
#ifdef __GLIBC__
  int most = bytes > INT32_MAX ? INT32_MAX : bytes < 0 ? 0 : (int)bytes;
  mallopt(M_TRIM_THRESHOLD, most);
  mallopt(M_MMAP_THRESHOLD, most / 4);
#else
  (void)bytes;
#endif
}
