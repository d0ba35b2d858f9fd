// The calls that differ between systems, for Darwin.

#ifdef __APPLE__

#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <mach-o/dyld.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/event.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <unistd.h>

// Marks two descriptors as not inherited by started programs. Returns 0, or -1 with errno set and both closed.
static int keep_from_programs(int ends[2]) {
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0) return 0;
    int saved = errno;
    close(ends[0]);
    close(ends[1]);
    errno = saved;
    return -1;
}

int platform_pipe(int ends[2], int is_nonblocking) {
    if (pipe(ends) != 0 || keep_from_programs(ends) != 0) return -1;
    if (is_nonblocking) {
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

int platform_socket_pair(int ends[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || keep_from_programs(ends) != 0) return -1;
    int on = 1;
    setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    setsockopt(ends[1], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    return 0;
}

ssize_t platform_send(int socket, const void *bytes, size_t count) { return send(socket, bytes, count, 0); }

int platform_duplicate(int from, int to) {
    if (dup2(from, to) < 0) return -1;
    fcntl(to, F_SETFD, FD_CLOEXEC);
    return to;
}

int platform_nameless_file(const char *label) {
    // Shared memory objects cannot be written to, so that this is a file that is removed at once. Only its owner may read it.
    char folder[512], path[640];
    size_t length = confstr(_CS_DARWIN_USER_TEMP_DIR, folder, sizeof folder);
    if (length == 0 || length > sizeof folder) snprintf(folder, sizeof folder, "/tmp/");
    snprintf(path, sizeof path, "%stripshare-%s-XXXXXX", folder, label);
    int file = mkstemp(path);
    if (file < 0) return -1;
    unlink(path);
    fcntl(file, F_SETFD, FD_CLOEXEC);
    return file;
}

// Reads what the kernel knows about a process. Returns 0 or -1.
static int about(pid_t process, struct kinfo_proc *info) {
    int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, process};
    size_t size = sizeof *info;
    // For a process that does not exist, the call succeeds with a size of 0.
    return sysctl(name, sizeof name / sizeof *name, info, &size, NULL, 0) == 0 && size > 0 ? 0 : -1;
}

int platform_terminal_path(char *path, size_t size) {
    struct kinfo_proc info;
    if (about(getpid(), &info) != 0 || info.kp_eproc.e_tdev == NODEV) return -1;
    char name[128];
    if (devname_r(info.kp_eproc.e_tdev, S_IFCHR, name, sizeof name) == NULL) return -1;
    int length = snprintf(path, size, "/dev/%s", name);
    return length > 0 && (size_t)length < size ? 0 : -1;
}

void platform_name_process(const char *name) { pthread_setname_np(name); }

const char *platform_program_name(void) { return getprogname(); }

void platform_restart(char *const argv[]) {
    char path[4096];
    uint32_t size = sizeof path;
    if (_NSGetExecutablePath(path, &size) == 0) execv(path, argv);
}

int platform_protect_memory(void) {
    // Processes of the same user need the system's permission to read memory; debuggers have it.
    return ptrace(PT_DENY_ATTACH, 0, 0, 0);
}

uint64_t platform_process_start(pid_t process) {
    struct kinfo_proc info;
    // A zombie has ended and waits to be reaped.
    if (about(process, &info) != 0 || info.kp_proc.p_stat == SZOMB) return 0;
    struct timeval start = info.kp_proc.p_un.__p_starttime;
    return (uint64_t)start.tv_sec * 1000000 + (uint64_t)start.tv_usec;
}

int platform_boot_session(char *text, size_t size) { return sysctlbyname("kern.bootsessionuuid", text, &size, NULL, 0); }

int platform_file_events(void) {
    int events = kqueue();
    if (events >= 0) fcntl(events, F_SETFD, FD_CLOEXEC);
    return events;
}

int platform_watch_file(int events, const char *path) {
    int file = open(path, O_EVTONLY | O_CLOEXEC);
    if (file < 0) return -1;
    struct kevent change;
    unsigned changes = NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_LINK | NOTE_RENAME | NOTE_DELETE | NOTE_REVOKE;
    EV_SET(&change, (uintptr_t)file, EVFILT_VNODE, EV_ADD | EV_CLEAR, changes, 0, NULL);
    if (kevent(events, &change, 1, NULL, 0, NULL) == 0) return file;
    int saved = errno;
    close(file);
    errno = saved;
    return -1;
}

void platform_take_file_events(int events) {
    struct kevent pending[8];
    struct timespec none = {0, 0};
    while (kevent(events, NULL, 0, pending, 8, &none) > 0) {}
}

#endif
