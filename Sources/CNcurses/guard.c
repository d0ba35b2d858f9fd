// A child process that restores the terminal if the main process cannot: after SIGKILL, or after a stack overflow on a
// thread without a stack for fault handlers (the threads of Swift's pool have none).
//
// The child holds the read end of a pipe, and only the main process holds the write end. The kernel closes the write end
// when the main process ends for any reason. tn_active, in shared memory, is 1 if the terminal is still to be restored.
//
// Without it, the shell continues on the alternate screen, without echo: RestoreTests, "restores the terminal after a signal
// that kills the program" and "restores the terminal after a crash".

#define _GNU_SOURCE
#include "CNcurses.h"
#include "CPlatform.h"
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t unshared = 0;
volatile sig_atomic_t *tn_active = &unshared;

static pid_t guard = -1;
static int life = -1;

// Runs in the child. Calls only async-signal-safe functions, because the forking process has several threads.
static void stand_guard(int death) {
    // Ignore signals that the keyboard and the shell send to the whole job: the guard must outlive the main process.
    static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGWINCH, SIGPIPE};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
    platform_name_process("tripshare-guard");
    const int kept[] = {death, device.output, device.messages, device.standard_error};
    platform_close_except(kept, sizeof kept / sizeof *kept);
    char byte;
    while (read(death, &byte, 1) < 0 && errno == EINTR) {}
    tn_restore();
    _exit(0);
}

void tn_share_state(void) {
    void *shared = mmap(NULL, sizeof *tn_active, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED) tn_active = shared;
}

void tn_post_guard(void) {
    int ends[2];
    if (tn_active == &unshared || platform_pipe(ends, 0) != 0) return;
    guard = fork();
    if (guard == 0) stand_guard(ends[0]);
    close(ends[0]);
    life = ends[1];
    if (guard < 0) close(life);
}

void tn_dismiss_guard(void) {
    // Two threads may end the process at the same time.
    pid_t child = __sync_lock_test_and_set(&guard, -1);
    if (child <= 0) return;
    close(life);
    // The terminal is restored. The guard may be stopped, so that it would not end by itself.
    kill(child, SIGKILL);
    // Reap the guard, because the process that would inherit it, such as PID 1 of a container, may not.
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}
