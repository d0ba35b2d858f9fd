// The terminal device: input, output, waiting, and restoring the terminal's state.

#define _GNU_SOURCE
#include "CNcurses.h"
#include "CPlatform.h"
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct device device = {
    .input = STDIN_FILENO, .output = -1, .lent = -1, .frame = -1, .wake = {-1, -1}, .messages = -1, .standard_error = -1,
};

int64_t tn_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// ---- standard error

void tn_catch_messages(void) {
    if (!isatty(STDERR_FILENO) || device.messages >= 0) return;
    device.standard_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    device.messages = platform_nameless_file("messages");
    if (device.standard_error < 0 || device.messages < 0) return;
    fcntl(device.messages, F_SETFL, O_APPEND);
    dup2(device.messages, STDERR_FILENO);
}

void tn_release_messages(void) {
    if (device.messages < 0 || device.standard_error < 0) return;
    dup2(device.standard_error, STDERR_FILENO);
    struct stat status;
    if (fstat(device.messages, &status) != 0) return;
    char part[4096];
    off_t from = status.st_size > 65536 ? status.st_size - 65536 : 0;
    for (;;) {
        ssize_t count = pread(device.messages, part, sizeof part, from);
        if (count <= 0) break;
        // A terminal that accepts no output must not keep the process from ending: stop after 200 ms.
        struct pollfd ready = {.fd = STDERR_FILENO, .events = POLLOUT};
        if (poll(&ready, 1, 200) <= 0 || (ready.revents & (POLLHUP | POLLERR))) break;
        ssize_t written = write(STDERR_FILENO, part, (size_t)count < 512 ? (size_t)count : 512);
        if (written <= 0) break;
        from += written;
    }
    ssize_t ignored = ftruncate(device.messages, 0);
    (void)ignored;
}

void tn_bound_messages(void) {
    struct stat status;
    if (device.messages < 0 || fstat(device.messages, &status) != 0 || status.st_size < 1 << 20) return;
    ssize_t ignored = ftruncate(device.messages, 0);
    (void)ignored;
}

// ---- output

void tn_write_now(const char *bytes, size_t length) {
    int patience = 2;
    while (length > 0) {
        size_t part = length;
        if (device.output_may_block) {
            struct pollfd ready = {.fd = device.output, .events = POLLOUT};
            if (poll(&ready, 1, 100) <= 0) return;
            part = part < 256 ? part : 256;
        }
        ssize_t written = write(device.output, bytes, part);
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN && patience-- > 0) {
            // The terminal accepts no output. Discard the queued bytes, which are stale frames, to make room.
            tcflush(device.output, TCOFLUSH);
            struct pollfd ready = {.fd = device.output, .events = POLLOUT};
            poll(&ready, 1, 100);
        } else if (written < 0 && errno == EINTR) {
            continue;
        } else {
            return;
        }
    }
}

size_t tn_pending(void) { return device.pending_length - device.pending_start; }

void tn_flush(void) {
    while (tn_pending() > 0 && *tn_active && !device.gone) {
        size_t part = tn_pending();
        if (device.output_may_block) {
            struct pollfd ready = {.fd = device.output, .events = POLLOUT};
            if (poll(&ready, 1, 0) <= 0) return;
            part = part < 256 ? part : 256;
        }
        ssize_t written = write(device.output, device.pending + device.pending_start, part);
        if (written > 0) {
            device.pending_start += (size_t)written;
        } else if (written < 0 && errno == EINTR) {
            continue;
        } else if (written < 0 && errno == EAGAIN) {
            return;
        } else {
            break;
        }
    }
    device.pending_start = device.pending_length = 0;
}

// ---- restoring the terminal

void tn_restore(void) {
    if (!__sync_bool_compare_and_swap(tn_active, 1, 0)) return;
    int saved = errno;
    if (!device.gone) {
        tcsetattr(device.output, TCSANOW, &device.before);
        tn_write_now(device.leave, device.leave_length);
    }
    tn_release_messages();
    errno = saved;
}

void tn_close(void) {
    device.closed = 1;
    tn_restore();
}

int tn_await_foreground(int terminal) {
    // This call changes nothing: output is not suspended. In the background, it stops the process group by SIGTTOU, and is
    // repeated when a shell continues the process (POSIX, General Terminal Interface), unless the shell has sent SIGHUP. It
    // fails with EIO if no shell could continue it. Threads of Swift's pool block all signals.
    sigset_t stop, mask;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTTOU);
    pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
    int result;
    do {
        result = tcflow(terminal, TCOON);
    } while (result != 0 && errno == EINTR && !tn_hung_up());
    int fails = result != 0 && (errno == EIO || errno == EINTR);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return fails ? -1 : 0;
}

int tn_retake(void) {
    // Fails if the terminal was closed, or if another program uses it and no shell can give it back.
    if (device.gone || tn_await_foreground(device.output) != 0) return -1;
    // From here on, whatever ends the process restores the terminal.
    *tn_active = 1;
    tcsetattr(device.output, TCSANOW, &device.ours);
    tn_catch_messages();
    if (device.messages >= 0 && device.standard_error >= 0) dup2(device.messages, STDERR_FILENO);
    tn_write_now(device.enter, device.enter_length);
    tn_mouse(device.mouse);
    tn_repaint();
    return 0;
}

int tn_suspend(void) {
    device.suspended = 1;
    tn_restore();
    tn_default_stop(0);
    // Stop the whole process group, as Ctrl-Z does by default, because it includes the other processes of a pipeline.
    kill(0, SIGTSTP);
    // Another thread may receive SIGTSTP, so wait for SIGCONT. The kernel does not stop an orphaned process group, which
    // no shell could continue; then the wait times out after 300 ms. Other signals are written back to the pipe.
    unsigned char others[16];
    size_t count = 0;
    for (int over = 0; !over && count < sizeof others;) {
        struct pollfd ready = {.fd = device.signals[0], .events = POLLIN};
        int result = poll(&ready, 1, 300);
        if (result < 0 && errno == EINTR) continue;
        if (result <= 0 || read(device.signals[0], &others[count], 1) != 1) break;
        over = others[count] == SIGCONT;
        // This stop also fulfills a request that comes before it ends.
        if (!over && others[count] != SIGTSTP) count++;
    }
    if (count > 0) {
        ssize_t ignored = write(device.signals[1], others, count);
        (void)ignored;
    }
    tn_default_stop(1);
    // Taking the terminal would stop a process in the background again, which a shell has sent SIGHUP.
    int result = tn_hung_up() ? -1 : tn_retake();
    device.suspended = 0;
    return result;
}

void tn_forget(void) {
    device.gone = 1;
    device.pending_start = device.pending_length = 0;
}

void tn_mouse(int on) {
    if (on) {
        tn_write_now("\033[?1002h\033[?1006h", 16);
    } else if (device.mouse) {
        tn_write_now("\033[?1002l\033[?1006l", 16);
    }
    device.mouse = on;
}

void tn_copy(const char *base64, size_t length) {
    if (!*tn_active || device.gone) return;
    char *sequence = malloc(length + 8);
    if (!sequence) return;
    memcpy(sequence, "\033]52;c;", 7);
    memcpy(sequence + 7, base64, length);
    sequence[length + 7] = '\a';
    tn_write_now(sequence, length + 8);
    free(sequence);
}

// ---- waiting and input

int tn_wait(int milliseconds) {
    int ours = *tn_active && !device.gone;
    struct pollfd set[4] = {
        {.fd = device.wake[0], .events = POLLIN},
        {.fd = device.signals[0], .events = POLLIN},
        {.fd = ours ? device.input : -1, .events = POLLIN},
        {.fd = ours && tn_pending() > 0 ? device.output : -1, .events = POLLOUT},
    };
    int count = poll(set, 4, milliseconds);
    if (count <= 0) return 0;
    int ready = 0;
    if (set[0].revents) {
        char bytes[64];
        while (read(device.wake[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes) {}
        ready |= TN_WOKEN;
    }
    if (set[1].revents) ready |= TN_SIGNAL;
    if (set[2].revents & POLLIN) ready |= TN_INPUT;
    if (set[2].revents & (POLLHUP | POLLERR | POLLNVAL)) ready |= TN_GONE;
    if (set[3].revents) ready |= TN_OUTPUT;
    return ready;
}

void tn_wake(void) {
    // A full pipe wakes, too.
    ssize_t ignored = write(device.wake[1], "", 1);
    (void)ignored;
}

long tn_read(uint8_t *bytes, size_t size) {
    ssize_t count = read(device.input, bytes, size);
    if (count > 0) return count;
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    return -1;
}

void tn_read_controlling_terminal(void) {
    if (device.input != STDIN_FILENO) return;
    char path[256];
    if (platform_terminal_path(path, sizeof path) != 0) return;
    int terminal = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (terminal >= 0) device.input = terminal;
}

int tn_is_here(void) { return isatty(device.input) && isatty(STDOUT_FILENO); }

// ---- thread

struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    tn_fault_stack();
    start.body(start.context);
    return NULL;
}

uintptr_t tn_thread(void) { return (uintptr_t)pthread_self(); }

int tn_start(void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (start == NULL) return ENOMEM;
    *start = (struct start){body, context};
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int result = pthread_create(&thread, &attributes, run, start);
    pthread_attr_destroy(&attributes);
    if (result != 0) free(start);
    return result;
}
