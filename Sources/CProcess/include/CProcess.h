// Process functions that cannot be written in Swift: signal handlers, and calls of variadic functions.

#ifndef TRIPSHARE_CPROCESS_H
#define TRIPSHARE_CPROCESS_H

#include "CPlatform.h"

#include <stddef.h>
#include <sys/types.h>

// Sets SIGQUIT to its default action unless it is ignored. Swift's runtime catches it, prints a backtrace, and continues:
// without this, Ctrl-\ does not end a command (SignalTests, "a signal ends a command that reads by its default action").
void process_default_quit(void);

// Catches SIGINT, SIGTERM, SIGHUP and SIGQUIT. A second signal of the same number has its default effect, except SIGHUP.
// SIGHUP and SIGQUIT stay ignored if they are (nohup, a background job of a script). Returns the read end of a pipe that
// delivers each signal number as one byte, or -1 with errno set.
int process_catch_signals(void);
// Returns whether a signal to catch has been caught or waits for a thread that may handle it, otherwise 0.
int process_signal_has_come(void);
// Restores the default effect of the signals; those ignored before are ignored again, and SIGHUP if it has come. Closes the
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

// Replaces the process image with this program and other arguments; argv ends with NULL. Returns only on failure.
void process_restart(char *const argv[]);

#endif
