// Signals and faults: the terminal is restored, and files are removed, before one of them ends the process.

#define _GNU_SOURCE
#include "CNcurses.h"
#include "CPlatform.h"
#include "CProcess.h"
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const int news[] = {SIGWINCH, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT};
static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};

static struct sigaction before_faults[65];
static volatile sig_atomic_t waiting[65];
static volatile int64_t hung_up_at;  // in milliseconds, by tn_now
static int chains;
static int catches_faults;

// Forwards a signal to the loop. A termination signal or SIGTSTP has its default effect if the terminal is not in use; so
// does a termination signal that arrives again before the loop has read the first one. But a closed terminal may send SIGHUP
// late or twice: the loop gets it after the screen was closed and while the process is stopped, too, and its repetition is
// ignored for 5 s.
static void on_news(int number) {
    // Read before device.gone, because the loop sets that before it restores a closed terminal.
    int is_active = *tn_active;
    if (number == SIGHUP) {
        // The loop knows about the closed terminal already. A shell and the kernel may both send this signal, and two threads
        // may receive it at the same time: one of them forwards it.
        int64_t now = tn_now(), last = hung_up_at;
        if (device.gone || (last != 0 && now - last < 5000)) return;
        if (!__sync_bool_compare_and_swap(&hung_up_at, last, now)) return;
    }
    int saved = errno;
    int asks_for_end = number == SIGTERM || number == SIGINT || number == SIGHUP || number == SIGQUIT;
    // The loop bounds the end of a program that has closed its screen, and of one that is stopped.
    int is_read = is_active || (number == SIGHUP && (device.closed || device.suspended));
    if (asks_for_end ? waiting[number] || !is_read : number == SIGTSTP && !is_active) {
        tn_restore();
        if (asks_for_end) process_remove_leftovers();
        process_act_by_default(number);
    }
    waiting[number] = 1;
    unsigned char byte = (unsigned char)number;
    ssize_t written = write(device.signals[1], &byte, 1);
    (void)written;
    errno = saved;
}

static void say(const char *text) {
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

// Reports a fault to the user. Calls only async-signal-safe functions.
static void report_fault(int number) {
    char digits[] = {(char)('0' + number / 10), (char)('0' + number % 10), 0};
    say("\n");
    say(platform_program_name());
    say(": internal error (signal ");
    say(digits[0] == '0' ? digits + 1 : digits);
    say(").\nPlease report it with what led to it. SWIFT_BACKTRACE=enable=yes and --allow-core-dumps show where, in many seconds.\n");
}

// Handles a fault. Restores the terminal first, because Swift's handler would prompt on a raw terminal. Then runs Swift's
// handler if SWIFT_BACKTRACE is set; it takes many seconds without any output. Otherwise prints a message and ends the
// process by the default action.
static void on_fault(int number, siginfo_t *info, void *context) {
    (void)info;
    (void)context;
    tn_restore();
    process_remove_leftovers();
    if (!chains) report_fault(number);
    if (chains) {
        sigaction(number, &before_faults[number], NULL);
    } else {
        struct sigaction plain = {.sa_handler = SIG_DFL};
        sigaction(number, &plain, NULL);
    }
    // The signal is blocked until this handler returns, then delivered. A synchronous fault would repeat anyway, but a
    // signal from another process would not.
    raise(number);
}

int tn_catch_faults(void) {
    // Install only once: the second call would store on_fault in before_faults.
    if (catches_faults) return 0;
    catches_faults = 1;
    chains = getenv("SWIFT_BACKTRACE") != NULL;
    struct sigaction fault = {0};
    sigemptyset(&fault.sa_mask);
    fault.sa_flags = SA_SIGINFO | SA_ONSTACK;
    fault.sa_sigaction = on_fault;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (sigaction(faults[i], &fault, &before_faults[faults[i]]) != 0) return -1;
    }
    return 0;
}

int tn_install_handlers(void) {
    struct sigaction act = {0};
    sigfillset(&act.sa_mask);
    act.sa_flags = SA_RESTART;
    act.sa_handler = on_news;
    for (size_t i = 0; i < sizeof news / sizeof *news; i++) {
        if (sigaction(news[i], &act, NULL) != 0) return -1;
    }
    if (tn_catch_faults() != 0) return -1;
    // A write to a closed terminal or pipe fails with an error instead of ending the process.
    signal(SIGPIPE, SIG_IGN);
    return 0;
}

int tn_next_signal(void) {
    unsigned char byte = 0;
    if (read(device.signals[0], &byte, 1) != 1) return 0;
    if (byte < 65) waiting[byte] = 0;
    return byte;
}

int tn_hung_up(void) { return waiting[SIGHUP]; }

void tn_default_stop(int restore) {
    struct sigaction act = {0};
    sigfillset(&act.sa_mask);
    act.sa_flags = SA_RESTART;
    act.sa_handler = restore ? on_news : SIG_DFL;
    sigaction(SIGTSTP, &act, NULL);
}

void tn_die(int number) {
    tn_restore();
    tn_dismiss_guard();
    process_die(number);
    // Another thread may receive the signal, so wait for its effect for up to 500 ms.
    poll(NULL, 0, 500);
    _exit(128 + number);
}

void tn_fault_stack(void) {
    size_t size = 64 * 1024;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack = {.ss_sp = memory, .ss_size = size};
    sigaltstack(&stack, NULL);
}
