// Process functions that cannot be written in Swift: signal handlers, and calls of variadic functions.

#ifndef TRIPSHARE_CPROCESS_H
#define TRIPSHARE_CPROCESS_H

#include "CPlatform.h"

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

// Sets SIGQUIT to its default action unless it is ignored. Swift's runtime catches it, prints a backtrace, and continues:
// without this, Ctrl-\ does not end a command (SignalTests, "a signal ends a command that reads by its default action").
void process_default_quit(void);

// Catches SIGINT, SIGTERM, SIGHUP and SIGQUIT. A second signal of the same number ends the process at once, except SIGHUP.
// SIGHUP and SIGQUIT stay ignored if they are (nohup, a background job of a script). Returns the read end of a pipe that
// delivers each signal number as one byte, or -1 with errno set.
int process_catch_signals(void);
// Returns whether a signal to catch has been caught or waits for a thread that may handle it, otherwise 0.
int process_signal_has_come(void);
// Lets the signals end the process again; those ignored before are ignored again, and SIGHUP if it has come. Closes the
// pipe's write end.
void process_release_signals(void);

// Shows a text on the terminal and reads a line of at most size bytes without echo. Stops in the background until the
// process is in the foreground. Returns the length of the line without its line feed; -1 on failure, with *number set to
// the signal that requests the end of the process, or 0; a signal may also come after the line. Echo is enabled on return,
// and while the process is stopped.
long process_read_hidden(const char *text, char *line, size_t size, int *number);

// Disables the echo of the terminal at standard input until process_show_echo or exit; while the process is stopped, the
// terminal echoes. Returns 0, or -1 if the process is in the background, or if standard input does not echo.
int process_hide_echo(void);
// Enables the echo again if process_hide_echo has disabled it. Async-signal-safe.
void process_show_echo(void);

// Prevents other processes of the same user from reading this process's memory, and the kernel from writing a core file.
// Returns 0, or -1 with errno set.
int process_protect_memory(void);

// Kills a process group when this process has ended, however it has ended; with is_over, no longer. The first call starts a
// process that waits for that. Returns 0, or -1 with errno set.
int process_guard(pid_t group, int is_over);

// ---- files that must not outlive this process

// What process_write_begins has changed.
struct process_write {
    sigset_t mask;
};

// Encloses the creation or change of files that an end of the process must not interrupt: the process ends after it. In
// between, the calling thread gets no signals. If the process is already ending, the first call never returns. It must not
// enclose a write that may wait, such as one to a pipe.
void process_write_begins(struct process_write *write);
void process_write_ends(struct process_write *write);

// Notes that the file or folder that is now at a path has to be removed before the process ends. A folder is removed only if
// it is empty, and nothing that another process has put at the path. Returns 0, or -1 with errno set.
int process_add_leftover(const char *path);
// Forgets a path.
void process_forget_leftover(const char *path);
// Removes all of them, for the end of the process. Waits up to one second for writes in progress. Async-signal-safe.
void process_remove_leftovers(void);

// Lets each signal whose default action ends the process remove the files first, and a file that is too long be an error
// instead of a signal. Signals that are ignored or have a handler are not changed.
void process_cover_signals(void);
// Removes the files and ends the process by the default action of a signal. Async-signal-safe.
void process_die(int number);
// Sets the default action of a signal and sends it to this process. Async-signal-safe.
void process_act_by_default(int number);

// Replaces the process image with this program and other arguments; argv ends with NULL. Returns only on failure.
void process_restart(char *const argv[]);

#endif
