#ifndef NAVSTACK_SPAWN_SHIMS_H
#define NAVSTACK_SPAWN_SHIMS_H

#include <stdint.h>

// Processes that a launcher starts: born into a group of their own, gone with the launcher.

/// What a process may have of the machine.
struct clinux_share {
  /// The most descriptors that it may have open; 0 for what the launcher has.
  int open_files;
  /// -20 (first served) to 19; 0 for the launcher's own.
  int niceness;
  /// Whether it takes nobody's processor by waking up (SCHED_BATCH).
  int is_batch;
  /// One bit a processor, from 0; none for all of them.
  uint64_t processors[4];
};

/// Starts a program in a process group of its own.
///
/// `files` are its standard input, output and error; all other descriptors are closed. It gets
/// SIGTERM when the calling thread ends.
/// Returns the process, or -1 with errno set, also when the program cannot be executed.
int clinux_spawn(const char *path, char *const arguments[], char *const environment[],
                 const char *directory, const int files[3], const struct clinux_share *share);

/// A descriptor that is readable when the process has ended; -1 with errno set.
int clinux_pidfd(int process);

/// How a process ended, as `clinux_reap` tells it.
struct clinux_end {
  /// Exit code, or number of the signal.
  int value;
  int is_signal;
  /// The most memory that was resident, in bytes.
  int64_t peak_bytes;
};

/// Takes a process that has ended, and kills what is left of its group before.
///
/// Returns 1 where it has ended, 0 where it runs yet, -1 with errno set.
int clinux_reap(int process, struct clinux_end *end);

/// Makes this process the new parent of all its descendants whose parent ends (a subreaper).
int clinux_adopt_orphans(void);
/// Reaps those that have ended; processes that this one started itself are left alone.
void clinux_reap_orphans(void);
/// Signals stray processes and returns how many there are.
///
/// A stray has a line in its environment that equals (`is_whole`) or begins with `variable`.
/// With `takes_adopted`, processes whose parent is this one are strays, too. Processes that this
/// one started itself are never strays.
int clinux_signal_strays(const char *variable, int is_whole, int takes_adopted, int signal);

/// The list of processes that this one started itself.
///
/// It is changed under its lock; `clinux_own_remove` takes the lock itself.
void clinux_own_lock(void);
void clinux_own_unlock(void);
void clinux_own_add(int process);
void clinux_own_remove(int process);

/// Sends a signal to a process, or to its whole group.
int clinux_signal(int process, int signal, int is_group);

/// Starts the guard: a process that outlives its launcher by a moment, ends what it has left and
/// removes its directory. `kept` is a descriptor that it holds as long as it lives (a lock).
///
/// Returns the descriptor over which the launcher talks to it; -1 with errno set.
int clinux_guard_start(const char *directory, int kept);
/// Puts a process group into the guard's care, or takes it out.
int clinux_guard_group(int guard, int process, int is_added);
/// Ends the guard's care: there is nothing to clean up.
void clinux_guard_dismiss(int guard);

/// Removes a directory and all that is in it; follows no links.
int clinux_remove_tree(const char *path);

/// A non-blocking pipe, closed on exec: reads from files[0], writes to files[1].
int clinux_pipe(int files[2]);

/// 1 where a local TCP port takes a connection, 0 where it does not.
int clinux_port_is_open(int port);

/// Resident bytes of another process; 0 where unknown.
int64_t clinux_resident_bytes_of(int process);
/// Nanoseconds of processor time that another process has used; 0 where unknown.
int64_t clinux_cpu_ns_of(int process);

/// The lowest niceness that this process may give to others.
int clinux_least_niceness(void);

#endif
