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
