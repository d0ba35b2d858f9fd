import Canvas

/// A bell, and a message that the terminal shows outside of its window (OSC 9).
struct Notification {
    /// The scalars of a message that are sent.
    private static let longest = 200

    /// The bytes; without a message where the terminal would print it, or shows no characters but ASCII.
    ///
    /// The message begins with the program's name: one that began with a digit and a semicolon would be another command of
    /// some terminals.
    static func bytes(_ message: String, _ capabilities: Capabilities) -> [UInt8] {
        let bell: [UInt8] = [0x07]
        guard capabilities.hasNotifications else { return bell }
        let text = Printable.clean(message, limit: longest)
        return bell + Array("\u{1B}]9;tripshare: \(text)\u{1B}\\".utf8)
    }
}
