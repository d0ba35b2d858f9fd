// The functions of ncursesw and of the terminal device that tripshare uses.
//
// A process has one terminal. Call all functions except tn_wake, tn_restore and tn_is_here from a single thread: the one
// that calls tn_open, then only the one that tn_start creates. ncurses names are not exposed, because Swift cannot import
// its globals (stdscr, COLORS) and macros (A_BOLD, getmaxyx).

#ifndef TRIPSHARE_CNCURSES_H
#define TRIPSHARE_CNCURSES_H

#include <stddef.h>
#include <stdint.h>

// Bit mask of the attributes of a run.
enum tn_attribute { TN_BOLD = 1, TN_DIM = 2, TN_UNDERLINE = 4, TN_REVERSE = 8 };

// Bit mask of what the screen uses besides the cells.
enum tn_feature { TN_ASKS_BACKGROUND = 1, TN_TITLE = 2, TN_PROGRESS = 4 };

// The result of tn_open.
enum tn_result { TN_OPENED = 0, TN_NO_TERMINAL = 1, TN_UNKNOWN = 2, TN_TOO_SIMPLE = 3, TN_SYSTEM = 4, TN_TWICE = 5, TN_BACKGROUND = 6 };

// The result of tn_wait, a bit mask.
enum tn_ready { TN_INPUT = 1, TN_OUTPUT = 2, TN_SIGNAL = 4, TN_WOKEN = 8, TN_GONE = 16 };

// ---- before opening

// Reads keys from the controlling terminal from now on, because standard input has something else.
void tn_read_controlling_terminal(void);
// Returns whether both the source of the keys and standard output are terminals.
int tn_is_here(void);
// Sets LC_CTYPE from the environment, or to C.UTF-8 if that locale is not installed but its name contains UTF-8.
// Returns whether the character encoding is UTF-8.
int tn_locale(void);

// Installs fault handlers, which restore the terminal, print a message and end the process by the default action. If
// SWIFT_BACKTRACE is set, they run the handler of Swift's runtime instead of printing. tn_open calls this function, too.
// Returns 0 or -1.
int tn_catch_faults(void);

// ---- opening and closing

// Opens the terminal: alternate screen, no echo, no line buffering, handlers for signals and faults. entry is a
// compiled terminfo entry as ncurses takes it in TERMINFO ("b64:..."), or NULL for the one TERM names. features is a mask
// of enum tn_feature: their modes are switched on and, whatever ends the screen, off again. In the background it stops the
// process until a shell moves it to the foreground.
int tn_open(const char *term, const char *entry, int colors, int features);
// Starts the thread that owns the terminal from now on; it runs body(context) and has a stack for fault handlers.
// Returns 0 or an error number.
int tn_start(void (*body)(void *), void *context);
// Returns a number that identifies the calling thread while it exists.
uintptr_t tn_thread(void);
// Restores the terminal if the screen is open. Then writes the standard error output that was buffered while the
// screen was open. Async-signal-safe.
void tn_restore(void);
// Restores the terminal when the program closes its screen; SIGHUP still reaches the loop.
void tn_close(void);
// Restores the terminal and ends the guard process. Call it before the process ends.
void tn_leave(void);
// Restores the terminal, stops the whole process group as Ctrl-Z does, and calls tn_retake when continued. Returns its
// result, or -1 without calling it if SIGHUP has come meanwhile.
int tn_suspend(void);
// Sets the terminal modes and opens the screen again, after another program may have changed them. Returns 0, or -1 if
// the terminal was closed or cannot be taken.
int tn_retake(void);
// Restores the terminal and ends the process by the default action of a signal.
void tn_die(int signal);
// Marks the terminal as closed: nothing is written to it any more, and SIGHUP, which may follow, is ignored.
void tn_forget(void);
// Enables or disables mouse reports.
void tn_mouse(int on);

// Copies a base64-encoded text to the terminal's clipboard (OSC 52); terminals without support ignore it.
void tn_copy(const char *base64, size_t length);

// ---- terminal properties

// Returns the number of colors, 0 for a monochrome terminal.
int tn_colors(void);
// Returns 1 if the terminal can draw dim text in colors, 0 otherwise.
int tn_dims_colors(void);
// Reads the size from the device, limits it to 1000x1000, and resizes the ncurses screen. Unknown sizes count as 80x24.
void tn_measure(int *columns, int *rows);
// Returns a string capability of the terminal by its terminfo name, NULL if there is none.
const char *tn_string(const char *name);

// ---- drawing

// Returns the pair of two colors: 0xRRGGBB or a palette index, depending on the terminal; -1 for its default color.
int tn_pair(int foreground, int background);
// Fills the screen with blanks in the colors of a pair.
void tn_erase(int pair);
// Draws count scalars from (x, y) to the right; scalars of width 0 combine with the previous one.
void tn_run(int x, int y, const uint32_t *scalars, size_t count, int attributes, int pair);
// Moves the cursor to (x, y); hides it if x is negative.
void tn_cursor(int x, int y);
// Makes the next frame redraw every cell.
void tn_repaint(void);
// Queues bytes to send immediately before the next frame.
void tn_queue(const uint8_t *bytes, size_t count);
// Computes the changes since the previous frame, queues them and more bytes, optionally as one synchronized update, and
// sends as much as possible without waiting. Returns the number of bytes queued for this frame.
size_t tn_present(int synchronized, const uint8_t *more, size_t more_count);

// ---- input and output

// Waits until an event or for a number of milliseconds (negative: no limit). Returns a mask of enum tn_ready, 0 if none.
int tn_wait(int milliseconds);
// Ends a tn_wait; callable from any thread.
void tn_wake(void);
// Reads the available input, up to size bytes. Returns 0 if there is none, -1 if the terminal was closed.
long tn_read(uint8_t *bytes, size_t size);
// Returns the next pending signal, 0 if there is none.
int tn_next_signal(void);
// Returns the number of bytes not yet sent.
size_t tn_pending(void);
// Sends as many queued bytes as possible without waiting.
void tn_flush(void);
// Returns the time of the monotonic clock in milliseconds.
int64_t tn_now(void);

#endif
