import FleetTokens
import Runtime

/// The emulated Google Cloud project with its accounts, tokens and secrets.
struct CredentialProject: Sendable {
    /// An OAuth client and the refresh token that a person has got through it.
    struct Login: Sendable {
        var principal: Principal
        var clientID: String
        var clientSecret = RandomText.make()
        var refreshToken = "1//" + RandomText.make()
    }

    /// The number of the project.
    static let number = "123456789012"
    /// The address of the person.
    static let userAddress = "user@example.com"
    /// The ID of gcloud's OAuth client begins with this number, which is the number of its project.
    private static let gcloudClient = "764086051850"

    /// The ID of the project, which is Fleet Engine's provider.
    let id: String
    let accounts: ServiceAccounts
    let tokens = AccessTokens()
    /// The login of a person through gcloud.
    let user = Login(principal: .user, clientID: "\(gcloudClient)-emulator.apps.googleusercontent.com")
    /// The login of a person of a workforce pool.
    let workforceUser = Login(principal: .workforceUser, clientID: "emulator-workforce-client")
    /// The identity provider whose tokens are exchanged.
    let subjects: SubjectTokens
    let aws = AWSAccount()

    init(id: String, accounts: ServiceAccounts) {
        (self.id, self.accounts) = (id, accounts)
        subjects = SubjectTokens(keys: accounts.keys.identityProvider)
    }
}

/// An identity to which the emulator issues access tokens.
enum Principal: Sendable, Hashable {
    /// The service account of a role.
    case account(Caller.Role)
    /// A person who has logged in with `gcloud auth application-default login`.
    case user
    /// A person of a workforce pool, who has logged in through another identity provider.
    case workforceUser
    /// A workload of a workload identity pool, without a service account.
    case workload

    /// The role in the emulated project.
    var role: Caller.Role {
        switch self {
        case .account(let role): role
        case .user, .workforceUser, .workload: .ondemandAdmin
        }
    }

    /// Whether calls must name the project that is to pay for them.
    ///
    /// An access token of a person belongs to the project of the OAuth client, which is gcloud's own.
    var needsQuotaProject: Bool { self == .user || self == .workforceUser }

    /// Whether it has `roles/iam.serviceAccountTokenCreator` on the service accounts of the project.
    ///
    /// No other account has it, also not on itself: signing for itself needs the grant, too.
    var isTokenCreator: Bool {
        switch self {
        case .account(let role): role == .ondemandAdmin
        case .user, .workforceUser, .workload: true
        }
    }
}

/// The OAuth scopes that the emulator knows.
enum OAuthScope {
    /// Covers every Google Cloud API, also Fleet Engine's.
    static let cloudPlatform = "https://www.googleapis.com/auth/cloud-platform"
    /// Covers the IAM APIs.
    static let iam = "https://www.googleapis.com/auth/iam"
    /// The scopes that a user grants to `gcloud auth application-default login`.
    static let ofUser: Set<String> = [
        cloudPlatform, "https://www.googleapis.com/auth/userinfo.email", "openid",
        "https://www.googleapis.com/auth/sqlservice.login",
    ]
    /// The default scopes of a virtual machine, which do not cover Fleet Engine.
    static let ofVirtualMachine: Set<String> = [
        "https://www.googleapis.com/auth/devstorage.read_only", "https://www.googleapis.com/auth/logging.write",
        "https://www.googleapis.com/auth/monitoring.write",
    ]

    /// The maximum number of scopes in a request.
    private static let limit = 50

    /// Splits a list at its spaces.
    static func set(_ text: String) -> Set<String> { Set(text.split(separator: " ").prefix(limit).map(String.init)) }

    /// Returns whether a text has the form of a scope.
    static func isValid(_ scope: String) -> Bool {
        if ["openid", "email", "profile"].contains(scope) { return true }
        let prefix = "https://www.googleapis.com/auth/"
        guard scope.hasPrefix(prefix), scope.utf8.count <= 200 else { return false }
        let name = scope.utf8.dropFirst(prefix.utf8.count)
        return !name.isEmpty && name.allSatisfy { ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || "._-".utf8.contains($0) }
    }
}

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
