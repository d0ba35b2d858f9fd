#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static volatile sig_atomic_t target = -1;
static volatile sig_atomic_t was_caught = 0, has_hung_up = 0;
static volatile sig_atomic_t has_come[NSIG];
static struct sigaction before[sizeof caught / sizeof *caught];

// Async-signal-safe.
static void on_signal(int number) {
    int saved = errno;
    was_caught = 1;
    process_show_echo();
    // A second signal ends the process without any further code than the removal of its files. A closed window sends SIGHUP
    // twice: the shell sends it to its jobs, and the kernel when the shell has ended.
    if (has_come[number] && number != SIGHUP) process_die(number);
    has_come[number] = 1;
    if (number == SIGHUP) has_hung_up = 1;
    unsigned char byte = (unsigned char)number;
    ssize_t ignored = write((int)target, &byte, 1);
    (void)ignored;
    errno = saved;
}

void process_default_quit(void) {
    struct sigaction plain = {.sa_handler = SIG_DFL}, now;
    // sigaction fails only for invalid signal numbers.
    sigaction(SIGQUIT, NULL, &now);
    if (now.sa_handler != SIG_IGN) sigaction(SIGQUIT, &plain, NULL);
}

int process_catch_signals(void) {
    int ends[2];
    if (platform_pipe(ends, 0) != 0) return -1;
    target = ends[1];
    struct sigaction action = {0};
    sigfillset(&action.sa_mask);
    action.sa_handler = on_signal;
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        // sigaction fails only for invalid signal numbers.
        sigaction(caught[i], NULL, &before[i]);
        int may_be_ignored = caught[i] == SIGHUP || caught[i] == SIGQUIT;
        if (may_be_ignored && before[i].sa_handler == SIG_IGN) continue;
        action.sa_flags = SA_RESTART;
        has_come[caught[i]] = 0;
        sigaction(caught[i], &action, NULL);
    }
    return ends[0];
}

int process_signal_has_come(void) {
    // The threads of Swift's pool block all signals, so that one may wait for another thread.
    sigset_t waiting;
    sigpending(&waiting);
    int is_waiting = 0;
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) is_waiting |= sigismember(&waiting, caught[i]) == 1;
    return was_caught || is_waiting;
}

void process_release_signals(void) {
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        int is_ignored = before[i].sa_handler == SIG_IGN || (caught[i] == SIGHUP && has_hung_up);
        struct sigaction after = before[i];
        if (is_ignored) after.sa_handler = SIG_IGN;
        sigaction(caught[i], &after, NULL);
    }
    // A handler that is still running then writes to descriptor -1, which fails.
    int writing = (int)target;
    target = -1;
    if (writing >= 0) close(writing);
}

int process_protect_memory(void) {
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
    return platform_protect_memory();
}

void process_restart(char *const argv[]) {
    // Pool threads block signals, and the new program inherits the signal mask of the calling thread.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    platform_restart(argv);
}
