// The echo of standard input, which is off while lines are typed between the lines of the output.

#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;  // with echo
static struct sigaction before_stop, before_continue;
static volatile sig_atomic_t is_hidden = 0;
static int has_exit_handler = 0;

static int is_in_foreground(void) { return tcgetpgrp(STDIN_FILENO) == getpgrp(); }

// Async-signal-safe.
static void set_echo(int is_on) {
    // In the background, the modes are those of another program, and a change of them would stop this one.
    if (!is_in_foreground()) return;
    struct termios modes = before;
    if (!is_on) modes.c_lflag &= ~(tcflag_t)ECHO;
    while (tcsetattr(STDIN_FILENO, TCSANOW, &modes) != 0 && errno == EINTR) {}
}

// Stops with echo; continues without it.
static void on_stop(int number) {
    int saved = errno;
    set_echo(1);
    struct sigaction plain = {.sa_handler = SIG_DFL}, ours;
    sigaction(number, &plain, &ours);
    sigset_t set, mask;
    sigemptyset(&set);
    sigaddset(&set, number);
    raise(number);
    // It is delivered here; the call returns when the process goes on.
    pthread_sigmask(SIG_UNBLOCK, &set, &mask);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    sigaction(number, &ours, NULL);
    if (is_hidden) set_echo(0);
    errno = saved;
}

static void on_continue(int number) {
    (void)number;
    int saved = errno;
    if (is_hidden) set_echo(0);
    errno = saved;
}

int process_hide_echo(void) {
    if (is_hidden || !is_in_foreground() || tcgetattr(STDIN_FILENO, &before) != 0) return -1;
    if (!(before.c_lflag & ECHO)) return -1;
    if (!has_exit_handler) has_exit_handler = atexit(process_show_echo) == 0;
    is_hidden = 1;
    set_echo(0);
    struct sigaction stop = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
    struct sigaction resume = {.sa_handler = on_continue, .sa_flags = SA_RESTART};
    sigfillset(&stop.sa_mask);
    sigfillset(&resume.sa_mask);
    // sigaction fails only for invalid signal numbers. An ignored signal stays ignored.
    sigaction(SIGTSTP, NULL, &before_stop);
    if (before_stop.sa_handler != SIG_IGN) sigaction(SIGTSTP, &stop, NULL);
    sigaction(SIGCONT, &resume, &before_continue);
    return 0;
}

void process_show_echo(void) {
    if (!is_hidden) return;
    is_hidden = 0;
    set_echo(1);
    sigaction(SIGTSTP, &before_stop, NULL);
    sigaction(SIGCONT, &before_continue, NULL);
}
