package import Canvas

/// How many colours are shown.
package enum ColorDepth: Int, Sendable, CaseIterable, Comparable {
    /// None: bold, reverse and underline carry the meaning.
    case mono
    /// The eight or sixteen of the terminal's palette.
    case sixteen
    /// The palette of 256.
    case indexed
    /// 24 bits.
    case truecolor

    package static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}

/// What the user wants of the terminal.
package struct TerminalOptions: Sendable, Equatable {
    /// Whether to show colours.
    package enum Color: String, Sendable, CaseIterable {
        /// What the environment and the terminal's description say.
        case auto
        /// No colours, as with `NO_COLOR`.
        case never
        /// 24 bits, whatever the environment says.
        case truecolor
    }

    package var color: Color
    /// Draw with ASCII only.
    package var ascii: Bool
    /// Report the mouse; the terminal's own selection then needs Shift.
    package var mouse: Bool
    /// The theme, or `nil` to choose by the terminal's background where it is known.
    package var theme: Theme.Name?
    /// The environment, as far as `TERM`, `COLORTERM`, `NO_COLOR`, `COLORFGBG`, `ESCDELAY` and `SSH_CONNECTION` go.
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

/// What the terminal can do, judged by the environment, the locale and its description.
package struct Capabilities: Sendable, Equatable {
    /// The characters to draw with.
    package var glyphs: GlyphSet
    /// How many colours are shown.
    package var depth: ColorDepth
    /// Whether a frame may be wrapped as one synchronised update (mode 2026); unknown terminals ignore it.
    package var isSynchronized: Bool
    /// Whether the mouse can be reported.
    package var hasMouse: Bool
    /// Whether a notification (OSC 9) may be sent; terminals that know none ignore it.
    package var hasNotifications: Bool
    /// Milliseconds before a lone escape byte counts as the Escape key.
    package var escapeDelay: Int
    /// The theme that suits the background, as far as the terminal tells of it.
    package var theme: Theme.Name

    /// Judges before anything is opened; ``limit(toColors:)`` follows.
    package init(options: TerminalOptions, isUTF8: Bool) {
        let environment = options.environment
        let terminal = environment["TERM"] ?? ""
        let isOld = terminal.hasPrefix("vt") || terminal == "ansi"
        let isConsole = terminal == "linux"
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
        // "15;0": foreground and background by the palette's numbers; rxvt, konsole and others set it.
        let background = environment["COLORFGBG"]?.split(separator: ";").last.flatMap { Int($0) }
        theme = options.theme ?? (background == 7 || background == 15 ? .light : .dark)
    }

    /// Whether ncurses is to be told of 24 bits by a description of our own.
    package var needsDirectDescription: Bool { depth == .truecolor }

    /// Takes in how many colours the opened terminal really has.
    package mutating func limit(toColors colors: Int) {
        let possible: ColorDepth =
            colors >= 1 << 24 ? .truecolor : colors >= 256 ? .indexed : colors >= 8 ? .sixteen : .mono
        depth = min(depth, possible)
    }

    /// Whether a terminal that this machine has no description of is known to understand xterm's sequences.
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
