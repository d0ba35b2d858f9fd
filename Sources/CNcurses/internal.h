// What the files of the shim share.

#ifndef TRIPSHARE_CNCURSES_INTERNAL_H
#define TRIPSHARE_CNCURSES_INTERNAL_H

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <termios.h>

struct device {
    int output;              // our own open file description, non-blocking where possible
    int output_may_block;    // no such description could be had: never write without asking poll
    int lent;                // the number ncurses writes to; the terminal, or a memory file during a frame
    int frame;               // that memory file
    int wake;                // an eventfd
    int signals[2];          // a pipe from the handlers to the loop
    int messages;            // a memory file in place of standard error, or -1
    int standard_error;      // the real one, or -1
    struct termios before;   // as we found it
    struct termios ours;     // as we want it
    char enter[512];         // what takes the screen
    char leave[512];         // what gives it back
    size_t enter_length, leave_length;
    char *pending;           // bytes not sent yet
    size_t pending_start, pending_length, pending_space;
    FILE *stream;            // for newterm
    int gone;                // the terminal has been closed
    int mouse;
};

extern struct device device;
// 1 while the terminal is ours; whoever swaps it to 0 restores. Shared with the guard.
extern volatile sig_atomic_t *tn_active;

// Writes to the terminal, waiting no longer than a fifth of a second in all. Async-signal-safe.
void tn_write_now(const char *bytes, size_t length);
// Takes standard error into the memory file, or gives it back and copies what was written. Async-signal-safe (back).
void tn_catch_messages(void);
void tn_release_messages(void);
// Keeps the memory file small.
void tn_bound_messages(void);
// Installs the handlers; before newterm, which leaves handlers alone that are not the default.
int tn_install_handlers(void);
// Gives this thread a stack for fault handlers.
void tn_fault_stack(void);
void tn_default_stop(int restore);
// Puts tn_active where the guard sees it; before the terminal is taken.
void tn_share_state(void);
// Starts the guard; once the terminal is taken.
void tn_post_guard(void);
// Ends it, at the end of the process; the terminal has been given back. Async-signal-safe.
void tn_dismiss_guard(void);

#endif
