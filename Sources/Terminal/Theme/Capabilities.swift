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

    package var color: Color = .auto
    /// Whether to draw with ASCII only.
    package var ascii = false
    /// Whether to report the mouse; the terminal's own selection then needs Shift.
    package var mouse = false
    /// The theme; `nil` selects one by the terminal's background, if it is known.
    package var theme: Theme.Name?
    /// What the screen uses of the terminal besides the cells, as far as the terminal has it.
    package var features = TerminalFeatures.all
    /// Whether keys come from the controlling terminal, because standard input has something else.
    package var readsControllingTerminal = false
    /// Bytes that were typed before, and not handled by the program that this one replaced.
    package var typedAhead: [UInt8] = []
    /// The environment; `TERM`, `COLORTERM`, `NO_COLOR`, `COLORFGBG`, `ESCDELAY`, `SSH_CONNECTION` and
    /// the variables that name the program of the terminal are used.
    package var environment: [String: String]
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
    /// What the screen uses of the terminal besides the cells.
    package var features: TerminalFeatures
    /// The time in milliseconds to wait for an answer about the background before the first frame.
    package var answerTime: Int
    /// The time in milliseconds after which a single escape byte counts as the Escape key.
    package var escapeDelay: Int
    /// The theme that the user has chosen, otherwise the one for the terminal's background, if the terminal reveals it.
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
        answerTime = max(isRemote ? 250 : 100, escapeDelay)
        features = isOld || isConsole || terminal == "dumb" ? [] : options.features
        if options.theme != nil || depth == .mono { features.remove(.background) }
        if !TerminalFeatures.readsProgress(environment), !features.contains(.unknownProgress) {
            features.remove(.progress)
        }
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

/// A terminfo entry for 24-bit color, compiled by `tic`, in the format of the TERMINFO variable.
///
/// Debian's base system has none. It is xterm-256color plus `RGB`, 24-bit `setaf` and `setab`, and 65,536 pairs. It lacks
/// `initc` (the palette is the user's), `bce` (missing in GNU screen) and `rep` (missing in several terminals). It is also used
/// on machines without an entry for a terminal that is compatible with xterm. `infocmp -x` prints it.
enum DirectDescription {
    /// The name of the entry.
    static let name = "xterm-tripshare"

    /// The compiled entry.
    static let entry = "b64:" + encoded.filter { !$0.isWhitespace }

    private static let encoded = """
        HgIqACYADwCdATIEeHRlcm0tdHJpcHNoYXJlfHh0ZXJtIHdpdGggZGlyZWN0IGNvbG91cnMAAAEAAAEAAAABAAAAAAEBAAAAAAAAAAAAAAEA
        AAAAAAAAAAAAAAFQAAAACAAAABgAAAD/////////////////////////////////////////////////////AAAAAQAAAQAAAAQABgAIABkA
        HgAmACoALgD//zkASgBMAFAAVwD//1kAZgD//2oAbgB4AHwA/////4AAhACJAI4A//+gAKUAqgD//68AtAC5AL4AxwDLANIA///kAOkA7wD/
        ////////////////////9QD///kA////////+wD//wAB//////////8EAQgBDgESARYBGgEgASYBLAEyATgBPAH//0EB//9FAUoBTwFTAVoB
        //9hAWUBbQH/////////////////////////////dQF+AYcB//+KAZMBnAGlAa4BtwHAAckB0gHbAf/////////////////////////////k
        AecB8gH1AfcB+gFXAv//WgL//////////1wCYAJkAmgCbAL/////cAL//6UC/////6kCrwL/////////////tQL/////////////uQK9Av//
        ////////////////////////////////////////////////////////////////wQL/////yAL//////////88C1gLdAv/////kAv//6wL/
        ///////yAv/////////////5Av8C////////////////////////////////////////////////////////////////////////////////
        ////////////////////////////////////////////////////////BQMKA///////////////////////////////////////////////
        ////////////EQMcAyEDNAM4A///////////////////////////////////QQP///////////////////////9GA///////////////////
        //////////////////////////////////9MA10D////////////////////////////////////////bwPCA///////////////////FQT/
        ////////////////////////////////////////////////////////////////////////////////////////////////////////////
        //8sBC8EG1taAAcADQAbWyVpJXAxJWQ7JXAyJWRyABtbM2cAG1tIG1sySgAbW0sAG1tKABtbJWklcDElZEcAG1slaSVwMSVkOyVwMiVkSAAK
        ABtbSAAbWz8yNWwACAAbWz8xMmwbWz8yNWgAG1tDABtbQQAbWz8xMjsyNWgAG1tQABtbTQAbKDAAG1s1bQAbWzFtABtbPzEwNDloG1syMjsw
        OzB0ABtbMm0AG1s0aAAbWzhtABtbN20AG1s3bQAbWzRtABtbJXAxJWRYABsoQgAbKEIbW20AG1s/MTA0OWwbWzIzOzA7MHQAG1s0bAAbWzI3
        bQAbWzI0bQAbW0wAfwAbWzN+ABtPQgAbT1AAG1syMX4AG09RABtPUgAbT1MAG1sxNX4AG1sxN34AG1sxOH4AG1sxOX4AG1syMH4AG09IABtb
        Mn4AG09EABtbNn4AG1s1fgAbT0MAG1sxOzJCABtbMTsyQQAbT0EAG1s/MWwbPgAbWz8xaBs9ABtbPzEwMzRsABtbPzEwMzRoABtFABtbJXAx
        JWRQABtbJXAxJWRNABtbJXAxJWRCABtbJXAxJWRAABtbJXAxJWRTABtbJXAxJWRMABtbJXAxJWREABtbJXAxJWRDABtbJXAxJWRUABtbJXAx
        JWRBABs4ABtbJWklcDElZGQAGzcACgAbTQAlPyVwOSV0GygwJWUbKEIlOxtbMCU/JXA2JXQ7MSU7JT8lcDUldDsyJTslPyVwMiV0OzQlOyU/
        JXAxJXAzJXwldDs3JTslPyVwNCV0OzUlOyU/JXA3JXQ7OCU7bQAbSAAJABtPdwAbT3kAG091ABtPcQAbT3MAYGBhYWZmZ2dpaWpqa2tsbG1t
        bm5vb3BwcXFycnNzdHR1dXZ2d3d4eHl5enp7e3x8fX1+fgAbW1oAG1s/N2gAG1s/N2wAG09FABtPRgAbT00AG1szOzJ+ABtbMTsyRgAbWzE7
        MkgAG1syOzJ+ABtbMTsyRAAbWzY7Mn4AG1s1OzJ+ABtbMTsyQwAbWzIzfgAbWzI0fgAbWzFLABtbPzY5bAAbWyVpJWQ7JWRSABtbNm4AG1s/
        JVs7MDEyMzQ1Njc4OV1jABtbYwAbWzM5OzQ5bQAbWzNtABtbMjNtABtbPzY5aBtbJWklcDElZHMAG1s/NjloG1slaTslcDElZHMAG1slPyVw
        MSV7OH0lPCV0MyVwMSVkJWUzODsyOyVwMSV7NjU1MzZ9JS8lZDslcDElezI1Nn0lLyV7MjU1fSUmJWQ7JXAxJXsyNTV9JSYlZCU7bQAbWyU/
        JXAxJXs4fSU8JXQ0JXAxJWQlZTQ4OzI7JXAxJXs2NTUzNn0lLyVkOyVwMSV7MjU2fSUvJXsyNTV9JSYlZDslcDElezI1NX0lJiVkJTttABtb
        PzY5aBtbJWklcDElZDslcDIlZHMAG2wAG20AAwAAABsAOQA+AQEBAQAAAAkAEgAZACUAKgA8AEMASgBQAFoAegCBAIgAjACQAJQAmACcAKAA
        pACoAKwAsAC0ALgAvgAAAAMABwAKAA0AEAATABYAGQAcAB8AIgAlACgAKwAvADMANwA7AD8AQwBHAE0AUwBZAF8AZQBrAHEAdgAbWz8yMDA0
        bAAbWz8yMDA0aAAbXTExMgcAG10xMjslcDElcwcAG1szSgAbXTUyOyVwMSVzOyVwMiVzBwAbWzIwMX4AG1syMDB+ABtbMiBxABtbJXAxJWQg
        cQAbWz8xMDA2OzEwMDAlPyVwMSV7MX0lPSV0aCVlbCU7ABtbMTsyQgAbWzE7MkEAG094ABtPdAAbT3YAG09yABtPRQAbT2sAG09sABtPbwAb
        T24AG09qABtPbQAbT3AAG1syOW0AG1s5bQBBWABSR0IAWFQAQkQAQkUAQ3IAQ3MARTMATXMAUEUAUFMAU2UAU3MAWE0Aa0ROAGtVUABrYTIA
        a2IxAGtiMwBrYzIAa3A1AGtwQUREAGtwQ01BAGtwRElWAGtwRE9UAGtwTVVMAGtwU1VCAGtwWlJPAHJteHgAc214eAA=
        """
}
