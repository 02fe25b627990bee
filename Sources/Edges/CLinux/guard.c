#define _GNU_SOURCE
#include "spawn_shims.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_GROUPS = 1024, GRACE_MS = 1500, STEP_MS = 20 };

// What the launcher says: a process group to care for, to forget, or 0 to go away.
struct order {
  int32_t process;
  int32_t is_added;
};

static int groups[MOST_GROUPS];

static void note(struct order order) {
  for (int i = 0; i < MOST_GROUPS; i++) {
    int wanted = order.is_added ? 0 : order.process;
    if (groups[i] != wanted) continue;
    groups[i] = order.is_added ? order.process : 0;
    return;
  }
}

static int signal_groups(int signal) {
  int living = 0;
  for (int i = 0; i < MOST_GROUPS; i++) {
    if (groups[i] > 1 && kill(-groups[i], signal) == 0) living++;
  }
  return living;
}

// A process that left its group still has the path of its supervisor's socket in its environment.
static int signal_all(int signal, const char *sockets) {
  int living = signal_groups(signal);
  return living + (sockets[0] != 0 ? clinux_signal_strays(sockets, 0, 0, signal) : 0);
}

static void end_groups(const char *sockets) {
  signal_all(SIGTERM, sockets);
  struct timespec step = {0, STEP_MS * 1000000L};
  for (int waited = 0; waited < GRACE_MS && signal_all(0, sockets) > 0; waited += STEP_MS) {
    nanosleep(&step, NULL);
  }
  signal_all(SIGKILL, sockets);
}

static void isolate(int orders, int kept) {
  setsid();
  prctl(PR_SET_NAME, "nav-guard", 0, 0, 0);
  const int deaf[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
  for (size_t i = 0; i < sizeof deaf / sizeof *deaf; i++) signal(deaf[i], SIG_IGN);
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int i = 0; i < 3 && nothing >= 0; i++) dup2(nothing, i);
  // Whatever else the launcher had open must not live on in the guard.
  int low = orders < kept ? orders : kept;
  int high = orders < kept ? kept : orders;
  if (low > 3) syscall(SYS_close_range, 3, low - 1, 0);
  if (high > low + 1) syscall(SYS_close_range, low + 1, high - 1, 0);
  syscall(SYS_close_range, high + 1, ~0U, 0);
}

static void watch(int orders, const char *directory) {
  struct order order;
  for (;;) {
    ssize_t got = read(orders, &order, sizeof order);
    if (got < 0 && errno == EINTR) continue;
    if (got != (ssize_t)sizeof order) break;
    if (order.process == 0) _exit(0);
    note(order);
  }
  char sockets[512] = "";
  if (directory[0] != 0) snprintf(sockets, sizeof sockets, "NOTIFY_SOCKET=%s/notify/", directory);
  end_groups(sockets);
  if (directory[0] != 0) clinux_remove_tree(directory);
  _exit(0);
}

int clinux_guard_start(const char *directory, int kept) {
  int files[2];
  if (pipe2(files, O_CLOEXEC) != 0) return -1;
  pid_t parent = fork();
  if (parent == 0) {
    // A second fork, so that the launcher has no child to reap.
    if (fork() != 0) _exit(0);
    close(files[1]);
    isolate(files[0], kept);
    watch(files[0], directory);
  }
  close(files[0]);
  if (parent < 0) {
    close(files[1]);
    return -1;
  }
  while (waitpid(parent, NULL, 0) < 0 && errno == EINTR) {
  }
  return files[1];
}

int clinux_guard_group(int guard, int process, int is_added) {
  struct order order = {process, is_added};
  return write(guard, &order, sizeof order) == (ssize_t)sizeof order ? 0 : -1;
}

void clinux_guard_dismiss(int guard) {
  clinux_guard_group(guard, 0, 0);
  close(guard);
}
