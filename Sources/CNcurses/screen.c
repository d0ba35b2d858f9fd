// The terminal screen: all uses of ncursesw.

#define _GNU_SOURCE
#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#include "CNcurses.h"
#include "CPlatform.h"
#include "internal.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

static int has_pairs;
static int cursor_shown = -1, wanted_cursor;

int tn_locale(void) {
    if (setlocale(LC_CTYPE, "") == NULL) {
        const char *name = getenv("LC_ALL");
        if (name == NULL || *name == 0) name = getenv("LC_CTYPE");
        if (name == NULL || *name == 0) name = getenv("LANG");
        if (name != NULL && (strcasestr(name, "utf-8") != NULL || strcasestr(name, "utf8") != NULL)) {
            // Darwin calls it UTF-8, and has the other name only in newer releases.
            if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) setlocale(LC_CTYPE, "UTF-8");
        }
    }
    const char *codes = nl_langinfo(CODESET);
    return codes != NULL && strcasecmp(codes, "UTF-8") == 0;
}

// ---- opening

// Appends a control sequence without the padding in terminfo strings, such as $<5>, which only old hardware needs.
static void append(char *to, size_t *length, size_t space, const char *text) {
    if (text == NULL || text == (const char *)-1) return;
    for (const char *at = text; *at != 0 && *length + 1 < space; at++) {
        if (at[0] == '$' && at[1] == '<') {
            const char *end = strchr(at, '>');
            if (end != NULL) {
                at = end;
                continue;
            }
        }
        to[(*length)++] = *at;
    }
}

static void add_enter(const char *text) { append(device.enter, &device.enter_length, sizeof device.enter, text); }
static void add_leave(const char *text) { append(device.leave, &device.leave_length, sizeof device.leave, text); }

const char *tn_string(const char *name) {
    const char *text = tigetstr((char *)name);
    return text == (const char *)-1 ? NULL : text;
}

// Returns whether a string contains a sequence; terminfo entries of xterm save and restore the title themselves.
static int contains(const char *text, const char *sequence) { return text != NULL && strstr(text, sequence) != NULL; }

// What is switched on besides the cells, and off again. The title that a terminal without saved titles keeps is removed.
static void add_features(int features) {
    if (features & TN_ASKS_BACKGROUND) {
        // The terminal answers with its background; a resumed screen asks again.
        add_enter("\033[?2031h\033]11;?\033\\");
        add_leave("\033[?2031l");
    }
    if (features & TN_PROGRESS) add_leave("\033]9;4;0\033\\");
    if (features & TN_TITLE) {
        if (!contains(tn_string("smcup"), "\033[22;")) add_enter("\033[22;0t");
        add_leave("\033]2;\033\\");
        if (!contains(tn_string("rmcup"), "\033[23;")) add_leave("\033[23;0t");
    }
}

static void prepare_sequences(int modern, int features) {
    device.enter_length = device.leave_length = 0;
    add_enter(tn_string("smcup"));
    add_enter(tn_string("smkx"));
    add_enter(tn_string("smam"));
    add_enter(tn_string("rmir"));
    if (modern) {
        add_enter("\033[?2004h\033[?1004h");
        add_leave("\033[?2026l\033[?1002l\033[?1006l\033[?1004l\033[?2004l");
        add_features(features);
    }
    add_leave(tn_string("sgr0"));
    add_leave(tn_string("op"));
    add_leave(tn_string("rmkx"));
    add_leave(tn_string("cnorm"));
    if (tn_string("rmcup") != NULL) {
        add_leave(tn_string("rmcup"));
    } else {
        add_leave(tn_string("clear"));
    }
    // Move the cursor to the first column for the shell's prompt.
    add_leave("\r");
}

static int open_files(void) {
    char name[256];
    device.output = -1;
    if (ttyname_r(STDOUT_FILENO, name, sizeof name) == 0) {
        device.output = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    }
    if (device.output < 0 && platform_terminal_path(name, sizeof name) == 0) {
        device.output = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    }
    device.output_may_block = device.output < 0;
    if (device.output < 0) device.output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    // A read must not block: a signal key discards the input after poll has announced it.
    if (device.input == STDIN_FILENO && ttyname_r(STDIN_FILENO, name, sizeof name) == 0) {
        int input = open(name, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        if (input >= 0) device.input = input;
    }
    device.lent = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    device.frame = platform_nameless_file("frame");
    if (platform_pipe(device.wake, 1) != 0 || platform_pipe(device.signals, 1) != 0) return -1;
    if (device.output < 0 || device.lent < 0 || device.frame < 0) return -1;
    device.stream = fdopen(device.lent, "w");
    return device.stream == NULL ? -1 : tcgetattr(device.output, &device.before);
}

static SCREEN *new_terminal(const char *term, const char *entry) {
    const char *named = getenv("TERMINFO");
    char *kept = named == NULL ? NULL : strdup(named);
    if (entry != NULL) setenv("TERMINFO", entry, 1);
    use_env(FALSE);
    use_tioctl(TRUE);
    SCREEN *screen = newterm(term, device.stream, stdin);
    if (entry != NULL) {
        if (kept != NULL) {
            setenv("TERMINFO", kept, 1);
        } else {
            unsetenv("TERMINFO");
        }
    }
    free(kept);
    return screen;
}

void tn_leave(void) {
    tn_restore();
    tn_dismiss_guard();
}

int tn_open(const char *term, const char *entry, int colors, int features) {
    static int opened = 0;
    if (opened) return TN_TWICE;
    if (!tn_is_here()) return TN_NO_TERMINAL;
    if (tn_await_foreground(STDOUT_FILENO) != 0) return TN_BACKGROUND;
    if (open_files() != 0) return TN_SYSTEM;
    if (tn_install_handlers() != 0) return TN_SYSTEM;
    if (new_terminal(term, entry) == NULL) return TN_UNKNOWN;
    opened = 1;
    if (tn_string("cup") == NULL) {
        tcsetattr(device.output, TCSANOW, &device.before);
        return TN_TOO_SIMPLE;
    }
    cbreak();
    noecho();
    nonl();
    typeahead(-1);
    scrollok(stdscr, FALSE);
    idlok(stdscr, FALSE);
    leaveok(stdscr, FALSE);
    tcgetattr(device.output, &device.ours);
    // Ctrl-S, Ctrl-V and Ctrl-O are ordinary keys. Ctrl-C and Ctrl-Z remain signals, so that they work even if the
    // program hangs.
    device.ours.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
    device.ours.c_lflag &= ~(tcflag_t)(IEXTEN | ICANON | ECHO);
    device.ours.c_cc[VMIN] = 1;
    device.ours.c_cc[VTIME] = 0;
    if (colors != 0 && has_colors()) {
        start_color();
        use_default_colors();
        has_pairs = 1;
    }
    int modern = strncmp(term, "vt", 2) != 0 && strcmp(term, "linux") != 0 && strcmp(term, "ansi") != 0;
    prepare_sequences(modern, features);
    // newterm has queued the same sequences as device.enter, and sending them twice makes some terminals forget the
    // cursor position. Let ncurses write them to the memory file, over which tn_present writes.
    if (platform_duplicate(device.frame, device.lent) < 0) {
        tcsetattr(device.output, TCSANOW, &device.before);
        return TN_SYSTEM;
    }
    doupdate();
    platform_duplicate(device.output, device.lent);
    tn_fault_stack();
    tn_share_state();
    atexit(tn_leave);
    if (tn_retake() != 0) {
        tcsetattr(device.output, TCSANOW, &device.before);
        return TN_BACKGROUND;
    }
    tn_post_guard();
    return TN_OPENED;
}

// ---- terminal properties

int tn_colors(void) { return has_pairs ? COLORS : 0; }

int tn_dims_colors(void) {
    // Bit 4 of ncv: dim cannot be combined with colors, and ncurses leaves it out.
    int excluded = tigetnum((char *)"ncv");
    return tn_string("dim") != NULL && (excluded < 0 || (excluded & 16) == 0);
}

void tn_measure(int *columns, int *rows) {
    struct winsize size = {0};
    if (ioctl(device.output, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
        size.ws_col = 80;
        size.ws_row = 24;
    }
    if (size.ws_col > 1000) size.ws_col = 1000;
    if (size.ws_row > 1000) size.ws_row = 1000;
    if (size.ws_col != COLS || size.ws_row != LINES) resizeterm(size.ws_row, size.ws_col);
    *columns = size.ws_col;
    *rows = size.ws_row;
}

// ---- drawing

int tn_pair(int foreground, int background) {
    if (!has_pairs) return 0;
    int pair = alloc_pair(foreground, background);
    return pair < 0 ? 0 : pair;
}

static attr_t attributes_of(int attributes) {
    return ((attributes & TN_BOLD) ? WA_BOLD : 0) | ((attributes & TN_DIM) ? WA_DIM : 0)
        | ((attributes & TN_UNDERLINE) ? WA_UNDERLINE : 0) | ((attributes & TN_REVERSE) ? WA_REVERSE : 0);
}

void tn_erase(int pair) {
    cchar_t blank;
    setcchar(&blank, L" ", 0, 0, &pair);
    bkgrndset(&blank);
    erase();
}

void tn_run(int x, int y, const uint32_t *scalars, size_t count, int attributes, int pair) {
    cchar_t cells[256];
    wchar_t text[CCHARW_MAX + 1];
    attr_t look = attributes_of(attributes);
    int filled = 0, columns = 0;
    for (size_t i = 0; i < count;) {
        int length = 0;
        int width = wcwidth((wchar_t)scalars[i]);
        text[length++] = width > 0 ? (wchar_t)scalars[i] : L'?';
        i++;
        while (i < count && wcwidth((wchar_t)scalars[i]) == 0) {
            if (length < CCHARW_MAX) text[length++] = (wchar_t)scalars[i];
            i++;
        }
        text[length] = 0;
        setcchar(&cells[filled++], text, look, 0, &pair);
        columns += width > 0 ? width : 1;
        if (filled == 256) {
            mvadd_wchnstr(y, x, cells, filled);
            x += columns;
            filled = columns = 0;
        }
    }
    if (filled > 0) mvadd_wchnstr(y, x, cells, filled);
}

void tn_cursor(int x, int y) {
    wanted_cursor = x >= 0;
    if (wanted_cursor) {
        move(y, x);
    } else {
        move(0, 0);
    }
}

void tn_repaint(void) {
    cursor_shown = -1;
    clearok(curscr, TRUE);
}

static int grow(size_t more) {
    size_t needed = device.pending_length + more;
    if (needed <= device.pending_space) return 0;
    char *larger = realloc(device.pending, needed * 2);
    if (larger == NULL) return -1;
    device.pending = larger;
    device.pending_space = needed * 2;
    return 0;
}

void tn_queue(const uint8_t *bytes, size_t count) {
    if (device.gone || !*tn_active || count == 0 || grow(count) != 0) return;
    memcpy(device.pending + device.pending_length, bytes, count);
    device.pending_length += count;
}

// The largest frame whose memory is kept, in bytes.
enum { KEPT_FRAME = 16 << 10 };

size_t tn_present(int synchronized, const uint8_t *more, size_t more_count) {
    static const char begin[] = "\033[?2026h", end[] = "\033[?2026l";
    if (device.gone || !*tn_active) return 0;
    tn_bound_messages();
    // ncurses writes a frame in pieces of about 600 bytes. Collect them in the memory file, to send them at once. The pages of a
    // small frame are used again.
    if (lseek(device.frame, 0, SEEK_SET) != 0) return 0;
    if (platform_duplicate(device.frame, device.lent) < 0) return 0;
    if (cursor_shown != wanted_cursor) {
        curs_set(wanted_cursor);
        cursor_shown = wanted_cursor;
    }
    wnoutrefresh(stdscr);
    doupdate();
    platform_duplicate(device.output, device.lent);
    off_t size = lseek(device.frame, 0, SEEK_CUR);
    if (size < 0 || (size == 0 && more_count == 0)) return 0;
    if (grow((size_t)size + more_count + sizeof begin + sizeof end) != 0) return 0;
    size_t before = device.pending_length;
    if (synchronized) {
        memcpy(device.pending + device.pending_length, begin, sizeof begin - 1);
        device.pending_length += sizeof begin - 1;
    }
    ssize_t count = pread(device.frame, device.pending + device.pending_length, (size_t)size, 0);
    if (count > 0) device.pending_length += (size_t)count;
    if (more_count > 0) {
        memcpy(device.pending + device.pending_length, more, more_count);
        device.pending_length += more_count;
    }
    ssize_t ignored = size > KEPT_FRAME ? ftruncate(device.frame, 0) : 0;
    (void)ignored;
    if (synchronized) {
        memcpy(device.pending + device.pending_length, end, sizeof end - 1);
        device.pending_length += sizeof end - 1;
    }
    size_t queued = device.pending_length - before;
    tn_flush();
    return queued;
}
