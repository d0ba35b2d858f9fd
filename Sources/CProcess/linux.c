// The calls that differ between systems, for Linux.

#ifdef __linux__

#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

int platform_pipe(int ends[2], int is_nonblocking) { return pipe2(ends, O_CLOEXEC | (is_nonblocking ? O_NONBLOCK : 0)); }

int platform_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

ssize_t platform_send(int socket, const void *bytes, size_t count) { return send(socket, bytes, count, MSG_NOSIGNAL); }

int platform_duplicate(int from, int to) { return dup3(from, to, O_CLOEXEC); }

int platform_nameless_file(const char *label) { return memfd_create(label, MFD_CLOEXEC); }

int platform_terminal_path(char *path, size_t size) {
    static const char name[] = "/dev/tty";
    if (size < sizeof name) return -1;
    memcpy(path, name, sizeof name);
    return 0;
}

void platform_name_process(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

const char *platform_program_name(void) { return program_invocation_short_name; }

void platform_restart(char *const argv[]) { execv("/proc/self/exe", argv); }

int platform_protect_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

#endif
