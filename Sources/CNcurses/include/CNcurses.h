// What tripshare needs of ncursesw and of the terminal device, and nothing else.
//
// There is one terminal in a process. Everything here but tn_wake, tn_restore and tn_is_here is called from one
// thread: first the one that opens, then only the one that tn_start makes. No ncurses name reaches Swift: its globals
// (stdscr, COLORS) and macros (A_BOLD, getmaxyx) cannot be imported there.

#ifndef TRIPSHARE_CNCURSES_H
#define TRIPSHARE_CNCURSES_H

#include <stddef.h>
#include <stdint.h>

// Attributes of a run, combined by addition.
enum tn_attribute { TN_BOLD = 1, TN_DIM = 2, TN_UNDERLINE = 4, TN_REVERSE = 8 };

// What tn_open answers.
enum tn_result { TN_OPENED = 0, TN_NO_TERMINAL = 1, TN_UNKNOWN = 2, TN_TOO_SIMPLE = 3, TN_SYSTEM = 4, TN_TWICE = 5 };

// What tn_wait found, combined by addition.
enum tn_ready { TN_INPUT = 1, TN_OUTPUT = 2, TN_SIGNAL = 4, TN_WOKEN = 8, TN_GONE = 16 };

// ---- before opening

// Whether standard input and standard output are both a terminal.
int tn_is_here(void);
// Sets the character type of the locale; if the named locale is missing but its name says UTF-8, C.UTF-8 instead.
// Returns whether characters are UTF-8.
int tn_locale(void);

// Catches faults: the terminal back, a message, the default effect; the runtime's own handler where SWIFT_BACKTRACE is
// set. tn_open does it, too. Returns 0 or -1.
int tn_catch_faults(void);

// ---- life

// Takes the terminal: alternate screen, no echo, no line buffering, handlers for signals and faults. entry is a
// compiled terminfo entry as ncurses takes it in TERMINFO ("b64:..."), or NULL for the one TERM names.
int tn_open(const char *term, const char *entry, int colors);
// Starts the thread that owns the terminal from now on; it runs body(context) and has a stack for fault handlers.
// Returns 0 or an error number.
int tn_start(void (*body)(void *), void *context);
// Gives the terminal back, once; later calls do nothing. Async-signal-safe. What was written to standard error while
// the screen was ours follows there.
void tn_restore(void);
// Gives the terminal back and ends the process that guards it, before the end of the process.
void tn_leave(void);
// Gives the terminal back, stops the whole process group as Ctrl-Z asks, and takes it again afterwards.
void tn_suspend(void);
// Takes the modes of the terminal again, after someone else may have changed them.
void tn_retake(void);
// Dies of a signal the default way, the terminal given back.
void tn_die(int signal);
// Forgets a terminal that has gone away: nothing is written any more.
void tn_forget(void);
// Switches reports of the mouse.
void tn_mouse(int on);

/// Puts a text, in base64, into the clipboard of the terminal (OSC 52); one that does not know the sequence ignores it.
void tn_copy(const char *base64, size_t length);

// ---- what the terminal is

// The number of colours, 0 for a monochrome terminal.
int tn_colors(void);
// Reads the size from the device and tells ncurses; unknown sizes count as 80x24.
void tn_measure(int *columns, int *rows);
// A string of the terminal's description by its terminfo name, NULL if there is none.
const char *tn_string(const char *name);

// ---- drawing

// The pair of two colours (0xRRGGBB or an index, as the terminal counts them; -1 for the terminal's own).
int tn_pair(int foreground, int background);
// Blanks everything in a pair's colours.
void tn_erase(int pair);
// Draws count scalars from (x, y) to the right; those of no width join the one before.
void tn_run(int x, int y, const uint32_t *scalars, size_t count, int attributes, int pair);
// Puts the cursor there; hides it if x is negative.
void tn_cursor(int x, int y);
// Lets the next frame draw every cell.
void tn_repaint(void);
// Queues bytes that are sent with the next frame, before it.
void tn_queue(const uint8_t *bytes, size_t count);
// Computes what has changed and queues it as one piece, wrapped as a synchronised update if wanted, and sends what can
// be sent without waiting. Returns the bytes queued for this frame.
size_t tn_present(int synchronized);

// ---- input and output

// Sleeps until something is ready or milliseconds have passed (negative: no limit). Returns what is ready.
int tn_wait(int milliseconds);
// Ends a tn_wait from any thread.
void tn_wake(void);
// Reads what is there, up to size bytes. Returns 0 if nothing is there, -1 if the terminal has gone.
long tn_read(uint8_t *bytes, size_t size);
// The next signal that came in, 0 if there is none.
int tn_next_signal(void);
// How many bytes wait to be sent.
size_t tn_pending(void);
// Sends what can be sent without waiting.
void tn_flush(void);
// Milliseconds of a clock that never goes back.
int64_t tn_now(void);

#endif
