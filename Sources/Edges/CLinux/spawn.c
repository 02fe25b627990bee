#define _GNU_SOURCE
#include "spawn_shims.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Between fork and exec only what is safe in a child of a program with threads.

static void reset_signals(void) {
  struct sigaction plain;
  memset(&plain, 0, sizeof plain);
  plain.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++) sigaction(number, &plain, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static int take_share(const struct clinux_share *share) {
  if (share->open_files > 0) {
    struct rlimit limit = {(rlim_t)share->open_files, (rlim_t)share->open_files};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  }
  if (share->niceness != 0 && setpriority(PRIO_PROCESS, 0, share->niceness) != 0) return -1;
  if (share->is_batch) {
    struct sched_param none = {0};
    // A sandbox may forbid it; the process does its work without.
    if (sched_setscheduler(0, SCHED_BATCH, &none) != 0 && errno != EPERM && errno != ENOSYS) return -1;
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int number = 0; number < 256; number++) {
    if (share->processors[number / 64] >> (number % 64) & 1) CPU_SET(number, &set);
  }
  return CPU_COUNT(&set) == 0 ? 0 : sched_setaffinity(0, sizeof set, &set);
}

static void become(const char *path, char *const arguments[], char *const environment[],
                   const char *directory, const int files[3], const struct clinux_share *share,
                   pid_t parent) {
  if (setpgid(0, 0) != 0) return;
  if (prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) != 0) return;
  // The parent may have died before the signal was asked for.
  if (getppid() != parent) _exit(127);
  reset_signals();
  for (int i = 0; i < 3; i++) {
    if (dup2(files[i], i) < 0) return;
  }
  if (directory[0] != 0 && chdir(directory) != 0) return;
  if (take_share(share) != 0) return;
  syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);
  execve(path, arguments, environment);
}

int clinux_spawn(const char *path, char *const arguments[], char *const environment[],
                 const char *directory, const int files[3], const struct clinux_share *share) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return -1;
  pid_t parent = getpid();
  clinux_own_lock();
  pid_t process = fork();
  if (process > 0) clinux_own_add(process);
  if (process != 0) clinux_own_unlock();
  if (process == 0) {
    become(path, arguments, environment, directory, files, share, parent);
    int reason = errno;
    ssize_t ignored = write(report[1], &reason, sizeof reason);
    (void)ignored;
    _exit(127);
  }
  int saved = errno;
  close(report[1]);
  if (process < 0) {
    close(report[0]);
    errno = saved;
    return -1;
  }
  setpgid(process, process);
  int reason = 0;
  ssize_t got;
  do {
    got = read(report[0], &reason, sizeof reason);
  } while (got < 0 && errno == EINTR);
  close(report[0]);
  if (got == 0) return process;
  while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {
  }
  clinux_own_remove(process);
  errno = got == (ssize_t)sizeof reason ? reason : EIO;
  return -1;
}

int clinux_pidfd(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int clinux_reap(int process, struct clinux_end *end) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT | WNOHANG) != 0) return -1;
  if (info.si_pid == 0) return 0;
  // Not yet reaped, the process keeps its number, so this group can be no other.
  kill(-process, SIGKILL);
  int status = 0;
  struct rusage usage;
  memset(&usage, 0, sizeof usage);
  if (wait4(process, &status, 0, &usage) < 0) return -1;
  clinux_own_remove(process);
  end->is_signal = WIFSIGNALED(status);
  end->value = end->is_signal ? WTERMSIG(status) : WEXITSTATUS(status);
  end->peak_bytes = (int64_t)usage.ru_maxrss * 1024;
  return 1;
}

int clinux_signal(int process, int signal, int is_group) {
  if (process <= 1) {
    errno = EINVAL;
    return -1;
  }
  return kill(is_group ? -process : process, signal);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info;
  (void)kind;
  (void)where;
  return remove(path);
}

int clinux_remove_tree(const char *path) {
  return nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

int clinux_pipe(int files[2]) { return pipe2(files, O_CLOEXEC | O_NONBLOCK); }

int clinux_port_is_open(int port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return 0;
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int result = connect(fd, (struct sockaddr *)&address, sizeof address);
  close(fd);
  return result == 0;
}

int64_t clinux_resident_bytes_of(int process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/statm", process);
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  long long total = 0, resident = 0;
  int fields = fscanf(file, "%lld %lld", &total, &resident);
  fclose(file);
  return fields == 2 ? (int64_t)resident * sysconf(_SC_PAGESIZE) : 0;
}

int64_t clinux_cpu_ns_of(int process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "re");
  if (file == NULL) return 0;
  char text[1024];
  size_t length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = 0;
  // The program's name may hold anything; what follows its last bracket is regular.
  const char *rest = strrchr(text, ')');
  unsigned long long user = 0, system = 0;
  if (rest == NULL ||
      sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user, &system) != 2)
    return 0;
  return (int64_t)((user + system) * (1000000000ULL / (unsigned long long)sysconf(_SC_CLK_TCK)));
}

int clinux_least_niceness(void) {
  if (geteuid() == 0) return -20;
  struct rlimit limit;
  if (getrlimit(RLIMIT_NICE, &limit) != 0) return 0;
  int least = limit.rlim_cur >= 40 ? -20 : 20 - (int)limit.rlim_cur;
  int own = getpriority(PRIO_PROCESS, 0);
  return least < own ? least : own;
}
