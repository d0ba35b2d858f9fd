// A prompt on the terminal for a secret, which is not echoed.

#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT};
enum { caught_count = sizeof caught / sizeof *caught };
static volatile sig_atomic_t target = -1;

struct prompt {
    int terminal;
    int signals;            // the read end of the pipe from the handler
    const char *text;
    struct termios before;  // with echo
    struct sigaction handlers[caught_count];
};

// Async-signal-safe.
static void on_signal(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    ssize_t ignored = write((int)target, &byte, 1);
    (void)ignored;
    errno = saved;
}

static void show(const struct prompt *prompt, const char *text) {
    ssize_t ignored = write(prompt->terminal, text, strlen(text));
    (void)ignored;
}

// Disables echo and shows the prompt. In the background, SIGTTOU stops the process first. Returns 0 or -1.
static int hide(const struct prompt *prompt, int discard) {
    struct termios hidden = prompt->before;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    while (tcsetattr(prompt->terminal, discard, &hidden) != 0) {
        if (errno != EINTR) return -1;
    }
    show(prompt, prompt->text);
    return 0;
}

static void restore_echo(const struct prompt *prompt) {
    // Discard the rest of a pasted text, which the shell would run as commands.
    while (tcsetattr(prompt->terminal, TCSAFLUSH, &prompt->before) != 0 && errno == EINTR) {}
    show(prompt, "\n");
}

// Stops the process with echo enabled, as Ctrl-Z does by default, and continues without echo. Returns 0 or -1.
static int stop(struct prompt *prompt) {
    restore_echo(prompt);
    struct sigaction ours, continued, plain = {.sa_handler = SIG_DFL};
    sigaction(SIGTSTP, &plain, &ours);
    // The end of the stop is known here without the signal for it.
    sigaction(SIGCONT, &plain, &continued);
    // Returns when the process is continued; at once if no shell could continue it.
    raise(SIGTSTP);
    sigaction(SIGCONT, &continued, NULL);
    sigaction(SIGTSTP, &ours, NULL);
    return hide(prompt, TCSADRAIN);
}

// Reads a line. Returns its length, -1 with errno set, or -1 with *number set to the signal that requests the end.
static long read_line(struct prompt *prompt, char *line, size_t size, int *number) {
    size_t length = 0;
    if (hide(prompt, TCSAFLUSH) != 0) return -1;
    for (;;) {
        struct pollfd ready[2] = {
            {.fd = prompt->signals, .events = POLLIN},
            {.fd = prompt->terminal, .events = POLLIN},
        };
        if (poll(ready, 2, -1) < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        unsigned char byte;
        if (read(prompt->signals, &byte, 1) == 1) {
            if (byte == SIGCONT) {
                // The shell may have enabled echo meanwhile.
                if (hide(prompt, TCSADRAIN) != 0) return -1;
            } else if (byte == SIGTSTP) {
                if (stop(prompt) != 0) return -1;
            } else {
                *number = byte;
                return -1;
            }
            continue;
        }
        if (!ready[1].revents) continue;
        if (ready[1].revents & (POLLHUP | POLLERR)) {
            // The terminal was closed; its signal comes after this.
            *number = SIGHUP;
            return -1;
        }
        ssize_t count = read(prompt->terminal, line + length, size - length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return -1;
        length += (size_t)count;
        if (count == 0 || length == size || line[length - 1] == '\n') {
            return (long)(length > 0 && line[length - 1] == '\n' ? length - 1 : length);
        }
    }
}

long process_read_hidden(const char *text, char *line, size_t size, int *number) {
    struct prompt prompt = {.text = text};
    int ends[2];
    *number = 0;
    char path[256];
    if (platform_terminal_path(path, sizeof path) != 0) return -1;
    prompt.terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (prompt.terminal < 0) return -1;
    if (tcgetattr(prompt.terminal, &prompt.before) != 0 || platform_pipe(ends, 1) != 0) {
        close(prompt.terminal);
        return -1;
    }
    prompt.signals = ends[0];
    target = ends[1];
    // Pool threads block all signals, but the terminal stops the thread that uses it in the background.
    sigset_t stops, mask;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTSTP);
    sigaddset(&stops, SIGTTIN);
    sigaddset(&stops, SIGTTOU);
    pthread_sigmask(SIG_UNBLOCK, &stops, &mask);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < caught_count; i++) {
        // sigaction fails only for invalid signal numbers. Ignored signals stay ignored (nohup).
        sigaction(caught[i], NULL, &prompt.handlers[i]);
        if (prompt.handlers[i].sa_handler != SIG_IGN) sigaction(caught[i], &action, NULL);
    }
    long length = read_line(&prompt, line, size, number);
    int saved = errno;
    restore_echo(&prompt);
    // The signal of a closed terminal may still come, and a shell may repeat it.
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    for (size_t i = 0; i < caught_count; i++) {
        int is_over = caught[i] == SIGHUP && *number == SIGHUP;
        sigaction(caught[i], is_over ? &ignore : &prompt.handlers[i], NULL);
    }
    // A signal that came after the line ends the program, too.
    unsigned char late;
    while (*number == 0 && read(ends[0], &late, 1) == 1) {
        if (late != SIGCONT && late != SIGTSTP) *number = late;
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    target = -1;
    close(ends[0]);
    close(ends[1]);
    close(prompt.terminal);
    errno = saved;
    return length;
}
