package import Failures
import FleetTokens
package import Runtime
import TripModel

/// What credentials need from outside: variables, files, commands, the network and time.
package struct CredentialWorld: Sendable {
    /// Runs a command line without a shell and without a terminal and returns its output: command, environment, timeout.
    package typealias Runner =
        @Sendable (String, [String: String], Duration) async -> Result<[UInt8], Failure>

    /// Variables and files.
    package var files: CredentialFiles
    /// Runs commands.
    package var run: Runner
    /// The network, with the proxies of the environment.
    package var transport: HTTPTransport
    /// The clock of tokens.
    package var clock: any TripClock
    /// The base URL of IAM Credentials; `nil` for the URL of the credential.
    package var iamURL: String?
    /// Waits for a real time between two attempts; throws when the task is cancelled.
    package var wait: @Sendable (Duration) async throws -> Void

    func variable(_ name: String) -> String? { files.variable(name) }
}

/// The part of the outside world in which credentials are searched without a network: variables and files.
package struct CredentialFiles: Sendable {
    /// The environment variables.
    package var environment: [String: String]
    /// The home folder of the user; `nil` if there is none.
    package var home: String?
    /// The folder of relative paths, for messages.
    package var folder: String
    /// Whether plain HTTP to other machines is allowed.
    package var allowsPlainHTTP = false
    /// Reads a small file.
    package var read: @Sendable (String) throws(CredentialFileProblem) -> [UInt8]

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

/// A credential and how it was found.
package struct FoundCredential: Sendable {
    /// A place where credentials are searched.
    package enum Place: Sendable, Equatable {
        /// A file that the user names.
        case flag(path: String)
        /// The variable `GOOGLE_APPLICATION_CREDENTIALS`.
        case variable(path: String)
        /// The file that `gcloud auth application-default login` writes.
        case gcloud(path: String)
        /// A metadata server.
        case metadata(host: String)
    }

    /// A place without credentials.
    package struct PassedOver: Sendable, Equatable {
        /// The name of the place: a variable, a path, or the metadata server.
        package let place: String
        /// Why it has none.
        package let reason: Reason

        /// Why a place has no credentials.
        package enum Reason: Sendable, Equatable {
            /// The variable is not set.
            case unset
            /// There is no such file.
            case noFile
            /// The environment has `NO_GCE_CHECK`.
            case notAsked
            /// No metadata server answered.
            case noAnswer
        }
    }

    package let credential: Credential
    package let place: Place
    /// The places that were searched before and had none.
    package let passedOver: [PassedOver]
    /// The project that is charged for calls; `nil` for the credential's project.
    package var quotaProject: String?
    /// The project of the environment or the file; only for information.
    package let project: String?
    /// The domain of Google's services.
    package let universe: String

    /// The domain of Google Cloud.
    package static let googleUniverse = "googleapis.com"
}
