import FleetTokens

/// The part of the outside world in which credentials are searched without a network: variables and files.
package struct CredentialFiles: Sendable {
    /// The environment variables.
    package var environment: [String: String]
    /// The home folder of the user; `nil` if there is none.
    package var home: String?
    /// The folder of relative paths, for messages.
    package var folder: String
    /// Reads a small file.
    package var read: @Sendable (String) throws(CredentialFileProblem) -> [UInt8]
    /// Whether plain HTTP to other machines is allowed.
    package var allowsPlainHTTP: Bool

    /// Creates files from their parts.
    package init(
        environment: [String: String],
        home: String?,
        folder: String,
        allowsPlainHTTP: Bool = false,
        read: @escaping @Sendable (String) throws(CredentialFileProblem) -> [UInt8]
    ) {
        (self.environment, self.home, self.folder, self.read) = (environment, home, folder, read)
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    /// Returns the value of a variable; an empty one counts as unset.
    func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
}

/// Why a file can't be read.
package enum CredentialFileProblem: Error, Sendable, Equatable {
    /// There is no such file.
    case missing
    /// The file exists and can't be read; the reason is the system's error, with mode and owner.
    case unreadable(reason: String)
}
