// Process functions that cannot be written in Swift: signal handlers, and calls of variadic functions such as prctl.

#ifndef TRIPSHARE_CPROCESS_H
#define TRIPSHARE_CPROCESS_H

// Catches SIGINT, SIGTERM and SIGHUP. A second signal of the same number has its default effect. SIGHUP stays ignored if
// it is (nohup). Returns the read end of a pipe that delivers each signal number as one byte, or -1 with errno set.
int process_catch_signals(void);
// Restores the default effect of the signals; those ignored before are ignored again. Closes the pipe's write end.
void process_release_signals(void);

// Prevents other processes of the same user from reading this process's memory, and the kernel from writing a core file.
// Returns 0, or -1 with errno set.
int process_protect_memory(void);

// Replaces the process image with this program and other arguments; argv ends with NULL. Returns only on failure.
void process_restart(char *const argv[]);

#endif
