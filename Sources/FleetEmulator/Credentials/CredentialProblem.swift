/// What a fault of the credential endpoints makes wrong.
enum CredentialProblem: Sendable, Hashable {
    /// The metadata server has no service account.
    case noAccount
    /// IAM denies the permission.
    case iamDenied
    /// The API of IAM Service Account Credentials is not enabled.
    case iamDisabled
    /// The service account or the person is disabled.
    case accountDisabled
    /// The account's key is deleted.
    case keyDeleted
    /// A person has to sign in again.
    case reauthentication
    /// The metadata server's tokens have the default scopes of a virtual machine.
    case narrowScopes
    /// The metadata server's answers lack their header, like the answers of a proxy.
    case noMetadataHeader
    /// The attribute condition of the workload identity pool rejects the subject.
    case attributeCondition
    /// The subject token is too old.
    case staleSubject
}
