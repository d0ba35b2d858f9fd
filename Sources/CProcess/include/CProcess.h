// What Swift cannot reach of the process that it runs in: signal handlers, and calls with a variable number of arguments.

#ifndef TRIPSHARE_CPROCESS_H
#define TRIPSHARE_CPROCESS_H

// Catches SIGINT, SIGTERM and SIGHUP from now on. The second signal of one number has its default effect. SIGHUP stays
// ignored where it is (nohup). Returns a pipe's reading end, where each number arrives as one byte, or -1 with errno set.
int process_catch_signals(void);
// Gives the signals back to the system: each has its default effect, or is ignored as before. The pipe ends.
void process_release_signals(void);

// Keeps other processes of the same user from reading this one's memory, and the kernel from writing it to a core file.
// Returns 0, or -1 with errno set.
int process_protect_memory(void);

// Starts this program anew in the same process, with other arguments; argv ends in NULL. Returns only if that fails.
void process_restart(char *const argv[]);

#endif
