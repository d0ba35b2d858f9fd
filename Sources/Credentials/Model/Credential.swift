import FleetTokens
package import TokenSigning

/// A credential of a backend: one of the types that Application Default Credentials have.
package indirect enum Credential: Sendable {
    /// The private key of a service account.
    case serviceAccount(ServiceAccountCredential)
    /// A person's login by `gcloud auth application-default login`.
    case user(UserCredential)
    /// Another service account, in whose name the source may act.
    case impersonated(ImpersonatedCredential)
    /// An identity of another provider: workload or workforce identity federation.
    case external(ExternalCredential)
    /// A person's login by workforce identity federation.
    case externalUser(ExternalUserCredential)
    /// The service account of this machine, from a metadata server.
    case metadata(MetadataServer)

    /// The name of the type in credential files; `metadata_server` for a machine's credential.
    package var type: String {
        switch self {
        case .serviceAccount: "service_account"
        case .user: "authorized_user"
        case .impersonated: "impersonated_service_account"
        case .external: "external_account"
        case .externalUser: "external_account_authorized_user"
        case .metadata: "metadata_server"
        }
    }

    /// The account that acts, as far as the credential names it without a request.
    package var account: String? {
        switch self {
        case .serviceAccount(let credential): credential.key.email
        case .user(let credential): credential.account
        case .impersonated(let credential): credential.target
        case .external(let credential): credential.impersonation?.target
        case .externalUser, .metadata: nil
        }
    }

    /// The service account that can sign tokens with this credential, as far as it is named.
    package var signer: String? {
        switch self {
        case .serviceAccount, .impersonated, .external: account
        case .user, .externalUser, .metadata: nil
        }
    }
}

/// The private key of a service account.
package struct ServiceAccountCredential: Sendable {
    package let key: ServiceAccountKey
    /// Where the key's signature is exchanged for an access token.
    let tokenURL: String
    /// The path of the file, for messages.
    let path: String
}

/// The refresh token of a person's login.
package struct UserCredential: Sendable {
    let clientID: String
    let clientSecret: SecretBytes
    let refreshToken: SecretBytes
    let tokenURL: String
    /// The person's address; `nil` in files of older versions of gcloud.
    package let account: String?
    /// The path of the file, for messages.
    let path: String
}

/// A service account in whose name another credential may act.
package struct ImpersonatedCredential: Sendable {
    /// The account.
    package let target: String
    /// The base URL of IAM Credentials in the file.
    let iamURL: String
    /// The accounts between the source and the target, in order.
    package let delegates: [String]
    /// The credential that acts.
    package let source: Credential
}

/// An identity of another provider.
package struct ExternalCredential: Sendable {
    let audience: String
    let subjectType: String
    let tokenURL: String
    let subject: SubjectSource
    /// The login of the client at the token exchange.
    let client: (id: String, secret: SecretBytes)?
    let userProject: String?
    /// The service account that the identity impersonates.
    let impersonation: Impersonation?

    /// A service account that an identity impersonates.
    struct Impersonation: Sendable {
        let target: String
        let iamURL: String
        let lifetime: Int
    }
}

/// The refresh token of a person's login by workforce identity federation.
package struct ExternalUserCredential: Sendable {
    let clientID: String
    let clientSecret: SecretBytes
    let refreshToken: SecretBytes
    let tokenURL: String
    /// The path of the file, for messages.
    let path: String
}

/// OAuth scopes.
package enum Scope {
    /// The scope of all of Fleet Engine's methods and of IAM Credentials.
    package static let cloudPlatform = "https://www.googleapis.com/auth/cloud-platform"
}
