// Declarations shared by the C files of this target.

#ifndef TRIPSHARE_CNCURSES_INTERNAL_H
#define TRIPSHARE_CNCURSES_INTERNAL_H

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <termios.h>

struct device {
    int input;               // keys come from here: standard input, or the controlling terminal
    int output;              // a separate open file description, non-blocking if possible
    int output_may_block;    // whether a write to output may block: call poll before each one
    int lent;                // the descriptor that ncurses writes to: the terminal, or frame during a frame
    int frame;               // a memory file for the bytes of a frame
    int wake[2];             // a pipe from tn_wake to tn_wait
    int signals[2];          // a pipe from the handlers to the loop
    int messages;            // a memory file that replaces standard error, or -1
    int standard_error;      // the original standard error, or -1
    struct termios before;   // the modes before tn_open
    struct termios ours;     // the modes while the screen is open
    char enter[512];         // the sequences that open the screen
    char leave[512];         // the sequences that restore the terminal
    size_t enter_length, leave_length;
    char *pending;           // the bytes not sent yet
    size_t pending_start, pending_length, pending_space;
    FILE *stream;            // for newterm
    volatile sig_atomic_t gone;  // whether the terminal was closed
    volatile sig_atomic_t suspended;  // whether the process is stopped with its terminal restored
    volatile sig_atomic_t closed;  // whether the screen was closed, while the loop goes on
    int mouse;
};

extern struct device device;
// 1 while the screen is open. The process that swaps it to 0 restores the terminal. Shared with the guard.
extern volatile sig_atomic_t *tn_active;

// Writes to the terminal; stops after at most 200 ms without progress. Async-signal-safe.
void tn_write_now(const char *bytes, size_t length);
// Waits until the process is in the foreground of a terminal. Returns -1 if no shell can move it there, or if it has sent
// SIGHUP, otherwise 0.
int tn_await_foreground(int terminal);
// Redirects standard error to the memory file, if it is a terminal.
void tn_catch_messages(void);
// Restores standard error and copies the last 64 KiB of the memory file to it. Async-signal-safe.
void tn_release_messages(void);
// Empties the memory file when it has reached 1 MiB.
void tn_bound_messages(void);
// Installs the signal handlers. Call it before newterm, which replaces only default handlers.
int tn_install_handlers(void);
// Returns whether a SIGHUP waits to be read by the loop.
int tn_hung_up(void);
// Allocates a stack for fault handlers for the calling thread.
void tn_fault_stack(void);
// Sets SIGTSTP to its default action, or to the handler again if restore is not 0.
void tn_default_stop(int restore);
// Moves tn_active to memory shared with the guard. Call it before the screen is opened.
void tn_share_state(void);
// Starts the guard. Call it after the screen is opened.
void tn_post_guard(void);
// Ends the guard. Call it at the end of the process, after the terminal is restored. Async-signal-safe.
void tn_dismiss_guard(void);

#endif
