import Failures
import FleetTokens
import Foundation
import Runtime

/// A request header with a secret value, with only the location of the value stored; the value is read for each request.
struct SecretHeader: Sendable, Equatable {
    /// The name of the header, a token of RFC 9110.
    let name: String
    /// The location of its value.
    let origin: SecretReference

    /// Creates a header; `nil` if the name is invalid.
    init?(name: String, origin: SecretReference) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isAllowedInName) else { return nil }
        self.name = name
        self.origin = origin
    }

    /// Reads the current value.
    ///
    /// - Throws: ``Failures/Failure/missingVariable(_:)``, and ``Failures/Failure/unusableHeader(name:reason:)`` for an
    ///   unreadable file or an invalid value.
    func value(environment: [String: String]) throws(Failure) -> String {
        let value: String?
        do throws(Failure) {
            value = try origin.value(environment: environment)
        } catch {
            guard error.code == .unreadableFile else { throw error }
            throw .unusableHeader(name: name, reason: error.reason ?? "")
        }
        guard let value else {
            throw .unusableHeader(name: name, reason: "it is empty, too long or not printable")
        }
        KnownSecrets.ofProcess.add(Array(value.utf8))
        return value
    }

    private static func isAllowedInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension [SecretHeader] {
    /// Returns these headers and the other headers whose names do not occur among these.
    func adding(_ others: [SecretHeader]) -> [SecretHeader] {
        self + others.filter { other in !contains { $0.name.lowercased() == other.name.lowercased() } }
    }
}

extension HTTPTokenSource {
    /// Returns a function that reads secret headers from their files and an environment.
    static func reading(
        _ headers: [SecretHeader],
        environment: [String: String]
    ) -> @Sendable () throws(Failure) -> [(name: String, value: String)] {
        { () throws(Failure) in
            var values: [(name: String, value: String)] = []
            for header in headers { values.append((header.name, try header.value(environment: environment))) }
            return values
        }
    }
}

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

    /// The place, as options and settings name it.
    var shownPlace: String {
        switch self {
        case .variable(let name): "env:" + excerpt(value: name)
        case .file(let path): "file:" + excerpt(path: path)
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
