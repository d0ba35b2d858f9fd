import CNcurses
import Canvas
import Foundation
import Runtime

/// The terminal device and its ncurses screen in Swift types; ``Screen`` ensures that only one thread uses it.
struct Device: ~Copyable {
    /// Opens the terminal.
    init(options: TerminalOptions, capabilities: inout Capabilities) throws(TerminalError) {
        if options.readsControllingTerminal { tn_read_controlling_terminal() }
        guard tn_is_here() != 0 else { throw .notATerminal }
        guard let terminal = options.environment["TERM"], !terminal.isEmpty else { throw .unnamed }
        guard terminal != "dumb" else { throw .tooSimple(name: terminal) }
        let entry = capabilities.needsDirectDescription ? DirectDescription.entry : nil
        let name = entry == nil ? terminal : DirectDescription.name
        var result = Self.open(name, entry, capabilities)
        if result == TN_UNKNOWN.rawValue, Capabilities.resemblesXterm(terminal) {
            if Capabilities.namesFewColors(terminal) {
                // Most systems have this entry, and its first 16 colors are the terminal's palette.
                capabilities.depth = min(capabilities.depth, .sixteen)
                result = Self.open("xterm-256color", nil, capabilities)
            } else {
                capabilities.depth = capabilities.depth == .indexed ? .truecolor : capabilities.depth
                result = Self.open(DirectDescription.name, DirectDescription.entry, capabilities)
            }
        }
        switch result {
        case TN_OPENED.rawValue: break
        case TN_NO_TERMINAL.rawValue: throw .notATerminal
        case TN_UNKNOWN.rawValue: throw .unknown(name: Printable.clean(terminal, limit: 60))
        case TN_TOO_SIMPLE.rawValue: throw .tooSimple(name: Printable.clean(terminal, limit: 60))
        case TN_TWICE.rawValue: throw .openedTwice
        case TN_BACKGROUND.rawValue: throw .inBackground
        default: throw .system
        }
        capabilities.limit(toColors: Int(tn_colors()))
    }

    private static func open(_ terminal: String, _ entry: String?, _ capabilities: Capabilities) -> UInt32 {
        let colors: Int32 = capabilities.depth == .mono ? 0 : 1
        let features = capabilities.features.rawValue
        guard let entry else { return UInt32(unsafe tn_open(terminal, nil, colors, features)) }
        return UInt32(unsafe tn_open(terminal, entry, colors, features))
    }

    /// Sets the locale; returns whether its character encoding is UTF-8.
    static func isUTF8() -> Bool { tn_locale() != 0 }

    /// Returns the key sequences of this terminal that may differ from the common ones.
    func describedKeys() -> [[UInt8]: Key] {
        var keys: [[UInt8]: Key] = [:]
        for (name, key) in InputTables.described {
            guard let text = unsafe tn_string(name) else { continue }
            let bytes = unsafe Array(String(cString: text).utf8)
            // The decoder handles keys that begin with Escape; others are characters.
            if bytes.count > 2, bytes[0] == 0x1B { keys[bytes] = key }
        }
        return keys
    }

    func size() -> (width: Int, height: Int) {
        var width: Int32 = 0
        var height: Int32 = 0
        unsafe tn_measure(&width, &height)
        return (Int(width), Int(height))
    }

    /// The number of colors.
    var colors: Int { Int(tn_colors()) }

    /// Whether dim text can have a color.
    var dimsColors: Bool { tn_dims_colors() != 0 }

    func pair(_ style: Theme.Style) -> Int32 {
        tn_pair(Int32(clamping: style.foreground), Int32(clamping: style.background))
    }

    func erase(pair: Int32) { tn_erase(pair) }

    func draw(_ scalars: [UInt32], x: Int, y: Int, attributes: Theme.Attributes, pair: Int32) {
        unsafe scalars.withUnsafeBufferPointer { buffer in
            unsafe tn_run(Int32(x), Int32(y), buffer.baseAddress, buffer.count, attributes.rawValue, pair)
        }
    }

    func cursor(_ place: (x: Int, y: Int)?) {
        tn_cursor(Int32(place?.x ?? -1), Int32(place?.y ?? -1))
    }

    func repaint() { tn_repaint() }

    /// Sends bytes together with the next frame.
    func queue(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe tn_queue($0.baseAddress, $0.count) }
    }

    /// Sends the difference to the previous frame, and more bytes after it.
    func present(isSynchronized: Bool, _ more: [UInt8]) {
        unsafe more.withUnsafeBufferPointer { buffer in
            _ = unsafe tn_present(isSynchronized ? 1 : 0, buffer.baseAddress, buffer.count)
        }
    }

    /// The number of bytes not yet sent.
    var pending: Int { Int(tn_pending()) }

    func flush() { tn_flush() }

    /// Copies a text to the terminal's clipboard.
    static func copy(_ text: String) {
        var base64 = Data(text.utf8).base64EncodedString()
        base64.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe tn_copy($0.baseAddress, $0.count) }
        }
    }

    static func mouse(_ isOn: Bool) { tn_mouse(isOn ? 1 : 0) }

    /// Reads the available bytes; `nil` if the terminal was closed.
    func read() -> [UInt8]? {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
            count = unsafe Int(tn_read(buffer.baseAddress, buffer.count))
            filled = max(0, count)
        }
        return count < 0 ? nil : bytes
    }

    /// The result of a wait.
    struct Ready: OptionSet {
        let rawValue: Int32

        static let input = Ready(rawValue: 1)
        static let output = Ready(rawValue: 2)
        static let signal = Ready(rawValue: 4)
        static let woken = Ready(rawValue: 8)
        static let gone = Ready(rawValue: 16)
    }

    /// Waits until something is ready, at most this many milliseconds.
    static func wait(_ milliseconds: Int?) -> Ready {
        Ready(rawValue: tn_wait(milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1))
    }

    /// Returns the next pending signal.
    static func nextSignal() -> Int32? {
        let number = tn_next_signal()
        return number == 0 ? nil : number
    }

    /// Monotonic time in milliseconds.
    static func now() -> Int { Int(tn_now()) }

    /// Stops the process as Ctrl-Z does.
    ///
    /// - Returns: Whether the screen is open again.
    func suspend() -> Bool { tn_suspend() == 0 }

    /// Opens the screen again.
    ///
    /// - Returns: Whether it is open.
    func retake() -> Bool { tn_retake() == 0 }

    func close() { tn_close() }
    func forget() { tn_forget() }

    /// Restores the terminal; callable from any thread.
    static func restore() { tn_restore() }

    /// Restores the terminal and ends its guard process.
    static func prepareForReplacement() { tn_leave() }

    /// Restores the terminal and ends the process by a signal.
    static func die(of signal: Int32) { tn_die(signal) }
}
