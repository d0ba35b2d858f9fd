import FleetTokens
import Runtime

/// A file of the credentials folder.
package struct CredentialFile: Sendable, Equatable {
    /// The name in the folder.
    package var name: String
    /// The content; a secret.
    package var bytes: [UInt8]

    /// The names of all files that an emulator writes.
    package static let names = [
        "authorized_user.json", "external_account_authorized_user.json", "external_account_aws.json",
        "external_account_executable.json", "external_account_file.json", "external_account_url.json",
        "impersonated_service_account.json", "service_account.json", "service_account_consumer.json",
        "service_account_driver.json", "service_account_server.json", script, subjectToken, subjectAnswer,
    ]

    /// The subject token alone.
    static let subjectToken = "subject-token"
    /// The subject token as an executable returns it.
    static let subjectAnswer = "subject-token.json"
    /// The executable.
    static let script = "subject-token.sh"
    /// The key that distinguishes the JSON files of an emulator from a user's files; libraries ignore it.
    static let mark = "tripshare_emulator"
    /// The same for the executable.
    static let scriptMark = "# Written by tripshare emulate."

    /// Returns whether an emulator has written a file with this name and content.
    package static func isWrittenByEmulator(_ name: String, _ bytes: [UInt8]) -> Bool {
        switch name {
        case subjectToken:
            // A text that is not a token was not written by an emulator.
            (try? TokenClaims(token: String(decoding: bytes, as: UTF8.self)))?.issuer == SubjectTokens.issuer
        case script: String(decoding: bytes.prefix(200), as: UTF8.self).contains(scriptMark)
        default: JSONValue(bytes)?[mark] != nil
        }
    }
}
