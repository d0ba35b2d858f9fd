import Foundation
import Runtime

/// The end of what a helper program writes to its standard error, which says why it failed.
///
/// Only the last bytes are stored, so that a program that writes without end costs no memory.
struct ErrorTail: Sendable {
    /// The maximum number of bytes that are stored.
    static let mostBytes = 8 << 10
    /// The maximum number of lines of the text.
    static let mostLines = 3
    /// The maximum number of characters of the text; lines that have no room are left out, the last one is shortened.
    static let mostCharacters = 280

    private var bytes: [UInt8] = []
    /// Whether the first bytes are no longer there, so that the first line is not complete.
    private var isCut = false

    init() {}

    /// Adds bytes in the order in which they were written.
    mutating func append(_ new: some Collection<UInt8>) {
        bytes += new
        guard bytes.count > Self.mostBytes else { return }
        bytes.removeFirst(bytes.count - Self.mostBytes)
        isCut = true
    }

    /// Returns the last lines, without secrets and control characters and separated by ` · `; `nil` if there are none.
    ///
    /// The environment has the variables that the program got: values of secret names are hidden.
    func text(environment: [String: String] = [:]) -> String? {
        // A carriage return, with which a progress bar begins its line again, ends a line, too.
        let plain = bytes.lazy.filter { $0 != 0 }.map { $0 == 0x0D ? 0x0A : $0 }
        var text = String(decoding: plain, as: UTF8.self)
        // A line whose beginning is missing may be the rest of a secret.
        if isCut { text = String(text.drop { !$0.isNewline }) }
        for (name, value) in environment where name.isSecretName && value.utf8.count >= Self.shortestSecret {
            text = text.replacing(value, with: "<hidden>")
        }
        text = Self.withoutKeys(text.replacing(Self.sequence, with: ""))
        text = text.replacing(Self.password) { "\($0.output.1)<hidden>" }.withoutSecrets
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            .suffix(Self.mostLines)
        guard let last = lines.last?.sanitized(limit: Self.mostCharacters) else { return nil }
        return lines.dropLast().reversed().reduce(into: (text: last, hasRoom: true)) { result, line in
            let longer = line.sanitized(limit: Self.mostCharacters) + " · " + result.text
            result.hasRoom = result.hasRoom && longer.count <= Self.mostCharacters
            if result.hasRoom { result.text = longer }
        }.text
    }

    /// Shorter values of variables occur in other words.
    private static let shortestSecret = 4

    /// A sequence that colours a text or sets the title of a window (ECMA-48).
    private static var sequence: Regex<Substring> {
        /\u{1B}(?:\[[0-?]*[ -\/]*[@-~]|\][^\u{07}\u{1B}]*(?:\u{07}|\u{1B}\\)?|[ -\/]*[0-~])/
    }

    /// An option with a secret as its next word, or a password after a colon; the colon of other names belongs to prose.
    private static var password: Regex<(Substring, Substring)> {
        /(--?[a-z\-]*(?:passw|passphrase|secret|token|key)[a-z\-]*[ \t]+|\b[a-z_\-]*(?:password|passwd|passphrase)[a-z_\-]*[ \t]*[:=][ \t]*|(?:\s-u|--user)[ \t]+)[^\s]+/
            .ignoresCase()
    }

    /// Returns the text without keys in PEM form, also without one whose beginning or end is missing.
    private static func withoutKeys(_ text: String) -> String {
        guard text.contains("-----") else { return text }
        var text = text.replacing(/-----BEGIN [^\-]*-----(?s:.*?)(?:-----END [^\-]*-----|$)/, with: "<hidden>")
        if let end = text.firstMatch(of: /-----END [^\-]*-----/) {
            text = "<hidden>" + text[end.range.upperBound...]
        }
        return text
    }
}
