#define _GNU_SOURCE
#include "spawn_shims.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// The children that this process started itself. All others were adopted when their parent ended.
enum { MOST_CHILDREN = 4096 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t own[MOST_CHILDREN];

void clinux_own_lock(void) { pthread_mutex_lock(&lock); }
void clinux_own_unlock(void) { pthread_mutex_unlock(&lock); }

static int exchange(pid_t from, pid_t to) {
  for (int i = 0; i < MOST_CHILDREN; i++) {
    if (own[i] != from) continue;
    own[i] = to;
    return 1;
  }
  return 0;
}

void clinux_own_add(int process) { exchange(0, process); }

void clinux_own_remove(int process) {
  pthread_mutex_lock(&lock);
  exchange(process, 0);
  pthread_mutex_unlock(&lock);
}

static int is_own(pid_t process) {
  for (int i = 0; i < MOST_CHILDREN; i++) {
    if (own[i] == process) return 1;
  }
  return 0;
}


void clinux_reap_orphans(void) {
  for (int i = 0; i < 256; i++) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    pthread_mutex_lock(&lock);
    int found = waitid(P_ALL, 0, &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_pid > 0 &&
                !is_own(info.si_pid);
    if (found) waitpid(info.si_pid, NULL, WNOHANG);
    pthread_mutex_unlock(&lock);
    if (!found) return;
  }
}

static char *read_environment(const char *process, char *space, size_t capacity, size_t *length) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%.20s/environ", process);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return NULL;
  *length = 0;
  while (*length < capacity - 1) {
    ssize_t got = read(fd, space + *length, capacity - 1 - *length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    *length += (size_t)got;
  }
  close(fd);
  space[*length] = 0;
  return space;
}

static int has_variable(const char *process, const char *line, int is_whole, char *space, size_t capacity) {
  size_t length;
  if (read_environment(process, space, capacity, &length) == NULL) return 0;
  size_t wanted = strlen(line);
  for (size_t at = 0; at < length; at += strlen(space + at) + 1) {
    if (strncmp(space + at, line, wanted) != 0) continue;
    if (!is_whole || space[at + wanted] == 0) return 1;
  }
  return 0;
}

static pid_t parent_of(const char *process, char *state) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%.20s/stat", process);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return 0;
  text[length] = 0;
  const char *rest = strrchr(text, ')');
  int parent = 0;
  return rest != NULL && sscanf(rest + 1, " %c %d", state, &parent) == 2 ? (pid_t)parent : 0;
}

// Children that existed before, for example those of a script that executed the launcher in place.
static pid_t before[MOST_CHILDREN];

static int was_before(pid_t process) {
  for (int i = 0; i < MOST_CHILDREN && before[i] != 0; i++) {
    if (before[i] == process) return 1;
  }
  return 0;
}

int clinux_adopt_orphans(void) {
  DIR *all = opendir("/proc");
  if (all != NULL) {
    int count = 0;
    for (struct dirent *entry; (entry = readdir(all)) != NULL && count < MOST_CHILDREN;) {
      char state = 0;
      if (isdigit((unsigned char)entry->d_name[0]) && parent_of(entry->d_name, &state) == getpid())
        before[count++] = (pid_t)atoi(entry->d_name);
    }
    closedir(all);
  }
  return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

int clinux_signal_strays(const char *variable, int is_whole, int takes_adopted, int signal) {
  static char space[256 * 1024];
  DIR *all = opendir("/proc");
  if (all == NULL) return 0;
  int count = 0;
  pid_t self = getpid();
  pthread_mutex_lock(&lock);
  for (struct dirent *entry; (entry = readdir(all)) != NULL;) {
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    pid_t process = (pid_t)atoi(entry->d_name);
    if (process <= 1 || process == self || is_own(process) || was_before(process)) continue;
    char state = 0;
    pid_t parent = parent_of(entry->d_name, &state);
    if (parent == 0 || state == 'Z') continue;
    int is_stray = (takes_adopted && parent == self) ||
                   has_variable(entry->d_name, variable, is_whole, space, sizeof space);
    if (is_stray && kill(process, signal) == 0) count++;
  }
  pthread_mutex_unlock(&lock);
  closedir(all);
  return count;
}
