import Failures
import FleetTokens
import Foundation
import Runtime

/// Where a secret is, as options and settings name it; the secret is read when it is needed.
enum SecretReference: Sendable, Equatable {
    /// An environment variable.
    case variable(String)
    /// A file; surrounding white space is removed.
    case file(path: String)

    /// The maximum length of a secret in bytes.
    private static let maximumBytes = 8192

    /// Parses `env:VARIABLE` or `file:PATH`, in which `~` is the home folder; `nil` for other texts.
    init?(_ text: String) {
        if text.hasPrefix("env:"), text.utf8.count > 4 {
            self = .variable(String(text.dropFirst(4)))
        } else if text.hasPrefix("file:"), text.utf8.count > 5 {
            self = .file(path: (String(text.dropFirst(5)) as NSString).expandingTildeInPath)
        } else {
            return nil
        }
    }

    /// Reads the secret.
    ///
    /// - Returns: Printable ASCII; `nil` if the value is empty, too long or not printable.
    /// - Throws: ``Failures/Failure/missingVariable(_:)`` and ``Failures/Failure/unreadableFile(reason:)``.
    func value(environment: [String: String]) throws(Failure) -> String? {
        let text: String
        switch self {
        case .variable(let variable):
            guard let value = environment[variable] else { throw .missingVariable(excerpt(value: variable)) }
            text = value
        case .file(let path):
            text = String(decoding: try SmallFile(path, limit: Self.maximumBytes).bytes, as: UTF8.self)
        }
        let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !value.isEmpty, value.utf8.count <= Self.maximumBytes,
            value.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 || ($0 > 0x20 && $0 < 0x7F) })
        else { return nil }
        return value
    }
}
