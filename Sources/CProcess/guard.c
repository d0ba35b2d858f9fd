// A small process that kills process groups when this process has ended, however it has ended: the lower half of CommandGuard,
// which says what a user would miss.

#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum { most_groups = 1024 };

struct order {
    pid_t group;
    int is_over;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int orders = -1;  // this process's end of the socket

// Reads a whole order. Returns 0, or -1 when the other end of the socket is closed.
static int read_order(int socket, struct order *order) {
    size_t length = 0;
    while (length < sizeof *order) {
        ssize_t count = read(socket, (char *)order + length, sizeof *order - length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return -1;
        length += (size_t)count;
    }
    return 0;
}

// Runs in the guard: takes orders until the other end of the socket is closed, which only the kernel does.
static void watch(int socket) {
    static pid_t groups[most_groups];
    size_t count = 0;
    struct order order;
    while (read_order(socket, &order) == 0) {
        size_t place = 0;
        while (place < count && groups[place] != order.group) place++;
        if (order.is_over && place < count) groups[place] = groups[--count];
        if (!order.is_over && place == count && count < most_groups) groups[count++] = order.group;
    }
    while (count > 0) kill(-groups[--count], SIGKILL);
}

// Starts the guard. Returns 0, or -1 with errno set.
static int start(void) {
    int ends[2];
    if (platform_socket_pair(ends) != 0) return -1;
    // No handler of this process may run in the guard.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) {
        // Signals of the terminal are for the group of this process.
        setsid();
        // Nothing may wait for the guard because of a file that it has open.
        platform_close_except(&ends[1], 1);
        platform_name_process("tripshare-guard");
        watch(ends[1]);
        _exit(0);
    }
    int saved = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        errno = saved;
        return -1;
    }
    orders = ends[0];
    return 0;
}

int process_guard(pid_t group, int is_over) {
    struct order order = {.group = group, .is_over = is_over};
    pthread_mutex_lock(&lock);
    int result = orders >= 0 || (!is_over && start() == 0) ? 0 : -1;
    if (result == 0 && platform_send(orders, &order, sizeof order) < 0) result = -1;
    int saved = errno;
    pthread_mutex_unlock(&lock);
    errno = saved;
    return result;
}
