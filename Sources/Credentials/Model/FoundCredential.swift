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
