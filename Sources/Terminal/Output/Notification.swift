import Canvas
import Runtime

/// A bell and a desktop notification (OSC 9).
struct Notification {
    /// The maximum number of scalars of a message.
    private static let maximumLength = 200

    /// Returns the bytes; without the message if the terminal would print it or supports only ASCII.
    ///
    /// The message begins with the program's name, because some terminals interpret a leading digit and semicolon as another
    /// command.
    static func bytes(_ message: String, _ capabilities: Capabilities) -> [UInt8] {
        let bell: [UInt8] = [0x07]
        guard capabilities.hasNotifications else { return bell }
        let text = Printable.clean(message, limit: maximumLength)
        return bell + Array("\u{1B}]9;tripshare: \(text)\u{1B}\\".utf8)
    }
}
