// The calls that differ between Linux and Darwin. No other file of this project contains a call of only one system, except
// for the Swift files of ProcessControl.

#ifndef TRIPSHARE_CPLATFORM_H
#define TRIPSHARE_CPLATFORM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// ---- descriptors

// Creates a pipe that programs started by this process do not inherit. Returns 0, or -1 with errno set.
int platform_pipe(int ends[2], int is_nonblocking);
// Creates a pair of connected stream sockets that programs started by this process do not inherit, and whose writes fail
// without a signal after the other end was closed. Returns 0, or -1 with errno set.
int platform_socket_pair(int ends[2]);
// Sends bytes to a socket of such a pair. Returns the number of bytes, or -1 with errno set.
ssize_t platform_send(int socket, const void *bytes, size_t count);
// Makes a descriptor a duplicate of another one; started programs do not inherit it. Returns it, or -1 with errno set.
int platform_duplicate(int from, int to);
// Opens an empty file without a name: in memory, or on Darwin in the folder of the user's temporary files. Returns its
// descriptor, or -1 with errno set.
int platform_nameless_file(const char *label);
// Closes all descriptors except those listed; negative ones are ignored. Async-signal-safe.
void platform_close_except(const int *kept, size_t count);
// Writes the path of the controlling terminal, on which poll works: Darwin's poll fails on /dev/tty. Returns 0 or -1.
int platform_terminal_path(char *path, size_t size);

// ---- processes

// Names this process in the lists of processes; on Darwin, where the name is fixed, its thread in debuggers.
void platform_name_process(const char *name);
// Returns the name under which the program was started, without its folder.
const char *platform_program_name(void);
// Replaces the process image with this program and other arguments; argv ends with NULL. Returns only on failure.
void platform_restart(char *const argv[]);
// Prevents other processes of the same user from reading this process's memory. Returns 0, or -1 with errno set.
int platform_protect_memory(void);

// ---- limits

// The limits of a process.
enum platform_limit { PLATFORM_OPEN_FILES = 0, PLATFORM_ADDRESS_SPACE = 1, PLATFORM_STACK = 2 };

// Returns the soft limit; UINT64_MAX if there is none or if the system does not enforce it.
uint64_t platform_limit(enum platform_limit which);
// Raises the soft limit on open files to a number as far as the system permits. Returns the limit that then applies.
uint64_t platform_raise_open_files(uint64_t wanted);

#ifdef __APPLE__
// ---- what Linux provides as files of /proc, and inotify

// Returns when a process was started, in microseconds since 1970; 0 if it does not exist or has ended.
uint64_t platform_process_start(pid_t process);
// Writes the ID of the system's boot. Returns 0 or -1.
int platform_boot_session(char *text, size_t size);
// Creates a queue of file events, which is readable when one is pending. Returns a descriptor, or -1 with errno set.
int platform_file_events(void);
// Adds the events of a file or folder until the returned descriptor is closed. Returns -1 with errno set on failure.
int platform_watch_file(int events, const char *path);
// Removes the pending events.
void platform_take_file_events(int events);
#endif

#endif
