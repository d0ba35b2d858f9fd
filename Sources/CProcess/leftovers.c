// Files that must not outlive this process: ready files, certificates, credentials, and files that are half written.
//
// A table of paths, which a signal handler can read. Whatever ends the process removes them first: a signal, a fault, exit,
// or the watchdog. Only SIGKILL and a stack overflow on a thread without a stack for handlers leave them, because no code runs
// then. What is being written at that moment is finished before: process_write_begins and process_write_ends enclose it.

#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most_leftovers = 256, longest_path = 4096, patience = 1000 /* ms */ };

struct leftover {
    atomic_int is_used;
    dev_t device;
    ino_t inode;
    char path[longest_path];
};

static struct leftover leftovers[most_leftovers];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int writes = 0, is_ending = 0;
static atomic_int has_exit_handler = 0;
static volatile pid_t owner = 0;  // the process that writes; 0 before the first write

void process_write_begins(struct process_write *write) {
    // A signal handler that runs on this thread could not wait for it. The kernel ends a process without any handler if a
    // fault is blocked.
    static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &write->mask);
    owner = getpid();
    atomic_fetch_add(&writes, 1);
    if (!atomic_load(&is_ending)) return;
    // The process is about to end, and nothing may be created any more.
    atomic_fetch_sub(&writes, 1);
    for (;;) poll(NULL, 0, -1);
}

void process_write_ends(struct process_write *write) {
    atomic_fetch_sub(&writes, 1);
    int saved = errno;
    pthread_sigmask(SIG_SETMASK, &write->mask, NULL);
    errno = saved;
}

static struct leftover *find(const char *path) {
    for (size_t i = 0; i < most_leftovers; i++) {
        if (atomic_load(&leftovers[i].is_used) && strcmp(leftovers[i].path, path) == 0) return &leftovers[i];
    }
    return NULL;
}

static struct leftover *find_free(void) {
    for (size_t i = 0; i < most_leftovers; i++) {
        if (!atomic_load(&leftovers[i].is_used)) return &leftovers[i];
    }
    return NULL;
}

int process_add_leftover(const char *path) {
    size_t length = strlen(path);
    if (length >= longest_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    pthread_mutex_lock(&lock);
    if (!atomic_exchange(&has_exit_handler, 1)) atexit(process_remove_leftovers);
    struct leftover *entry = find(path);
    if (entry == NULL) entry = find_free();
    struct stat about;
    // Under the lock, so that of two threads that replace the file the later one is noted.
    int error = entry == NULL ? ENOSPC : lstat(path, &about) != 0 ? errno : 0;
    if (error == 0) {
        // A handler that does not wait any more sees either no entry or a whole one.
        atomic_store(&entry->is_used, 0);
        memcpy(entry->path, path, length + 1);
        entry->device = about.st_dev;
        entry->inode = about.st_ino;
        atomic_store(&entry->is_used, 1);
    }
    pthread_mutex_unlock(&lock);
    if (error == 0) return 0;
    errno = error;
    return -1;
}

void process_forget_leftover(const char *path) {
    pthread_mutex_lock(&lock);
    struct leftover *entry = find(path);
    if (entry != NULL) atomic_store(&entry->is_used, 0);
    pthread_mutex_unlock(&lock);
}

// Waits until no thread writes a file. Async-signal-safe.
static void await_writes(void) {
    for (int waited = 0; waited < patience && atomic_load(&writes) > 0; waited++) poll(NULL, 0, 1);
}

// Removes a file or an empty folder, unless another process has replaced it. Async-signal-safe.
static void remove_entry(struct leftover *entry) {
    struct stat about;
    if (lstat(entry->path, &about) != 0) return;
    if (about.st_dev != entry->device || about.st_ino != entry->inode) return;
    if (S_ISDIR(about.st_mode)) {
        rmdir(entry->path);
    } else {
        unlink(entry->path);
    }
}

void process_remove_leftovers(void) {
    // A child that was forked and has not started its program yet has the handlers and the table, but not the files.
    if (owner != getpid()) return;
    int saved = errno;
    atomic_store(&is_ending, 1);
    await_writes();
    // A folder is added before its files, and is empty only after they have been removed.
    for (int folders = 0; folders < 2; folders++) {
        for (size_t i = most_leftovers; i-- > 0;) {
            if (atomic_load(&leftovers[i].is_used)) remove_entry(&leftovers[i]);
        }
    }
    errno = saved;
}

void process_act_by_default(int number) {
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigaction(number, &plain, NULL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    kill(getpid(), number);
}

void process_die(int number) {
    process_remove_leftovers();
    process_act_by_default(number);
}

// Does nothing: with a handler, a file that is too long is an error of write (EFBIG), and programs that this one starts get
// the default action, which they would not with SIG_IGN.
static void on_long_file(int number) { (void)number; }

void process_cover_signals(void) {
    // Signals whose default action does not end the process, and those that cannot be caught.
    static const int harmless[] = {
        SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH,
#ifdef __APPLE__
        SIGINFO, SIGIO,
#endif
    };
    for (int number = 1; number < NSIG; number++) {
        int ends = 1;
        for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) ends &= harmless[i] != number;
        struct sigaction now, death = {.sa_handler = number == SIGXFSZ ? on_long_file : process_die};
        sigfillset(&death.sa_mask);
        // The numbers that a C library reserves are refused.
        if (!ends || sigaction(number, NULL, &now) != 0 || now.sa_handler != SIG_DFL) continue;
        sigaction(number, &death, NULL);
    }
}
