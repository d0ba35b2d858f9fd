// The calls that Linux and Darwin have in common, with different limits or arguments.

#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

// RLIMIT_AS and others have a type of their own in glibc, which is an int in C.
static int resource_of(enum platform_limit which) {
    switch (which) {
    case PLATFORM_OPEN_FILES: return RLIMIT_NOFILE;
    case PLATFORM_STACK: return RLIMIT_STACK;
    default: return RLIMIT_AS;
    }
}

uint64_t platform_limit(enum platform_limit which) {
#ifdef __APPLE__
    // Darwin does not enforce it.
    if (which == PLATFORM_ADDRESS_SPACE) return UINT64_MAX;
#endif
    struct rlimit limit;
    if (getrlimit(resource_of(which), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    return limit.rlim_cur;
}

uint64_t platform_raise_open_files(uint64_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return UINT64_MAX;
    uint64_t target = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > wanted ? wanted : limit.rlim_max;
#ifdef __APPLE__
    // A larger number is refused even if the hard limit is infinite (setrlimit(2)).
    int most = 0;
    size_t size = sizeof most;
    if (sysctlbyname("kern.maxfilesperproc", &most, &size, NULL, 0) == 0 && (uint64_t)most < target) {
        target = (uint64_t)most;
    }
#endif
    if (limit.rlim_cur < target) {
        struct rlimit raised = {.rlim_cur = target, .rlim_max = limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    }
    return limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
}

// Closes the descriptors of a range.
static void close_between(unsigned first, unsigned last) {
    if (first > last) return;
#ifdef __linux__
    // Kernels before 5.9 do not have it.
    if (close_range(first, last, 0) == 0) return;
#endif
    // No more are open: this is the limit that this program sets itself.
    for (unsigned descriptor = first; descriptor <= last && descriptor < 65536; descriptor++) close((int)descriptor);
}

void platform_close_except(const int *kept, size_t count) {
    unsigned from = 0;
    for (;;) {
        int next = -1;
        for (size_t i = 0; i < count; i++) {
            if (kept[i] >= 0 && (unsigned)kept[i] >= from && (next < 0 || kept[i] < next)) next = kept[i];
        }
        if (next < 0) break;
        if (next > 0) close_between(from, (unsigned)next - 1);
        from = (unsigned)next + 1;
    }
    close_between(from, ~0U);
}
