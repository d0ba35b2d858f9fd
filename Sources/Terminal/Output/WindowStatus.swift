import Canvas
import Runtime

/// What the window, the tab or the task bar shows about the program.
package struct WindowStatus: Sendable, Equatable {
    /// The title of the window; untrusted text.
    package var title: String
    /// The percentage of what is being done that is done; `nil` if nothing is.
    package var progress: Int?

    package init(title: String, progress: Int? = nil) {
        (self.title, self.progress) = (title, progress.map { min(max(0, $0), 100) })
    }

    /// The maximum number of scalars of a title.
    private static let maximumLength = 120

    /// Computes the bytes that change the status of a window, without what the terminal does not have.
    ///
    /// - Parameters:
    ///   - old: The status that the window shows; `nil` for none.
    ///   - capabilities: What the terminal has.
    /// - Returns: The bytes; empty if nothing changes.
    func bytes(since old: WindowStatus?, _ capabilities: Capabilities) -> [UInt8] {
        var text = ""
        if capabilities.features.contains(.title), title != old?.title {
            let clean = Printable.clean(title, limit: Self.maximumLength)
            let isASCII = capabilities.glyphs.level == .ascii
            text += "\u{1B}]2;\(isASCII ? String(clean.map { $0.isASCII ? $0 : "?" }) : clean)\u{1B}\\"
        }
        if capabilities.features.contains(.progress), progress != old?.progress {
            text += progress.map { "\u{1B}]9;4;1;\($0)\u{1B}\\" } ?? "\u{1B}]9;4;0\u{1B}\\"
        }
        return Array(text.utf8)
    }
}
