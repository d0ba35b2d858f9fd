package import Canvas

/// The number of colors.
package enum ColorDepth: Int, Sendable, CaseIterable, Comparable {
    /// No colors: bold, reverse and underline replace them.
    case mono
    /// The 8 or 16 colors of the terminal's palette.
    case sixteen
    /// The palette of 256 colors.
    case indexed
    /// 24-bit color.
    case truecolor

    package static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}

/// The user's terminal settings.
package struct TerminalOptions: Sendable, Equatable {
    /// When to use colors.
    package enum Color: String, Sendable, CaseIterable {
        /// As indicated by the environment and terminfo.
        case auto
        /// No colors, as with `NO_COLOR`.
        case never
        /// 24-bit color, regardless of the environment.
        case truecolor
    }

    package var color: Color
    /// Whether to draw with ASCII only.
    package var ascii: Bool
    /// Whether to report the mouse; the terminal's own selection then needs Shift.
    package var mouse: Bool
    /// The theme; `nil` selects one by the terminal's background, if it is known.
    package var theme: Theme.Name?
    /// Whether keys come from the controlling terminal, because standard input has something else.
    package var readsControllingTerminal = false
    /// Bytes that were typed before, and not handled by the program that this one replaced.
    package var typedAhead: [UInt8] = []
    /// The environment; `TERM`, `COLORTERM`, `NO_COLOR`, `COLORFGBG`, `ESCDELAY` and `SSH_CONNECTION` are used.
    package var environment: [String: String]

    package init(
        color: Color = .auto,
        ascii: Bool = false,
        mouse: Bool = false,
        theme: Theme.Name? = nil,
        environment: [String: String]
    ) {
        self.color = color
        self.ascii = ascii
        self.mouse = mouse
        self.theme = theme
        self.environment = environment
    }
}

/// The terminal's capabilities, derived from the environment, the locale and terminfo.
package struct Capabilities: Sendable, Equatable {
    /// The characters used for drawing.
    package var glyphs: GlyphSet
    /// The number of colors.
    package var depth: ColorDepth
    /// Whether a frame may be sent as a synchronized update (mode 2026); terminals without support ignore it.
    package var isSynchronized: Bool
    /// Whether the mouse can be reported.
    package var hasMouse: Bool
    /// Whether a notification (OSC 9) may be sent; terminals without support ignore it.
    package var hasNotifications: Bool
    /// Whether the terminal is the Linux console.
    package var isConsole: Bool
    /// The time in milliseconds after which a single escape byte counts as the Escape key.
    package var escapeDelay: Int
    /// The theme for the terminal's background, if the terminal reveals it.
    package var theme: Theme.Name

    /// Computes capabilities before the terminal is opened; ``limit(toColors:)`` follows.
    package init(options: TerminalOptions, isUTF8: Bool) {
        let environment = options.environment
        let terminal = environment["TERM"] ?? ""
        let isOld = terminal.hasPrefix("vt") || terminal == "ansi"
        isConsole = terminal.hasPrefix("linux")
        if options.ascii || !isUTF8 || isOld {
            glyphs = GlyphSet(.ascii)
        } else {
            glyphs = GlyphSet(isConsole ? .blocks : .braille)
        }
        let direct = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || terminal.hasSuffix("-direct")
        if options.color == .never || (options.color == .auto && !(environment["NO_COLOR"] ?? "").isEmpty) {
            depth = .mono
        } else if options.color == .truecolor || (direct && !isOld && !isConsole) {
            depth = .truecolor
        } else {
            depth = .indexed
        }
        isSynchronized = !isOld && !isConsole && terminal != "dumb"
        hasMouse = !isOld && !isConsole
        hasNotifications = !isOld && !isConsole && isUTF8
        let isRemote = environment["SSH_CONNECTION"] != nil || environment["SSH_TTY"] != nil
        let wanted = environment["ESCDELAY"].flatMap { Int($0) } ?? (isRemote ? 100 : 25)
        escapeDelay = min(max(wanted, 1), 2000)
        // "15;0": palette indices of foreground and background; set by rxvt, konsole and others.
        let background = environment["COLORFGBG"]?.split(separator: ";").last.flatMap { Int($0) }
        theme = options.theme ?? (background == 7 || background == 15 ? .light : .dark)
    }

    /// Whether ncurses needs a separate terminfo entry for 24-bit color.
    package var needsDirectDescription: Bool { depth == .truecolor }

    /// Limits the color depth to the colors of the opened terminal.
    package mutating func limit(toColors colors: Int) {
        let possible: ColorDepth =
            colors >= 1 << 24 ? .truecolor : colors >= 256 ? .indexed : colors >= 8 ? .sixteen : .mono
        depth = min(depth, possible)
    }

    /// Returns whether the name of a terminal without a terminfo entry denotes a palette of fewer than 256 colors.
    static func namesFewColors(_ terminal: String) -> Bool {
        terminal.hasSuffix("-16color") || terminal.hasSuffix("-88color")
    }

    /// Returns whether a terminal without a terminfo entry is known to be compatible with xterm.
    static func resemblesXterm(_ terminal: String) -> Bool {
        let families = [
            "xterm", "tmux", "screen", "alacritty", "kitty", "foot", "wezterm", "ghostty", "konsole", "gnome", "vte",
            "iterm",
            "contour", "rio", "st-256color", "mintty", "rxvt-unicode",
        ]
        return families.contains { terminal.hasPrefix($0) }
            || terminal == "st"
    }
}
