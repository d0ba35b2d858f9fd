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
    /// The ID of gcloud's OAuth client begins with this number, which is that of its project.
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

/// The names of the workload identity pool, the workforce pool and their providers.
enum IdentityPool {
    private static let path =
        "projects/\(CredentialProject.number)/locations/global/workloadIdentityPools/emulator-pool"
    /// The provider of JWTs.
    static let tokens = "//iam.googleapis.com/\(path)/providers/emulator-oidc"
    /// The provider of AWS identities.
    static let aws = "//iam.googleapis.com/\(path)/providers/emulator-aws"
    /// The provider of the workforce pool.
    static let workforce =
        "//iam.googleapis.com/locations/global/workforcePools/emulator-workforce/providers/emulator-oidc"

    /// Returns whether a text has the form of a provider's full resource name.
    static func isName(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 9, parts[0] == "", parts[1] == "", parts[2] == "iam.googleapis.com",
            parts.dropFirst(3).allSatisfy({ !$0.isEmpty })
        else { return false }
        let names = Array(parts.dropFirst(3))
        return names.count == 8
            ? names[0] == "projects" && names[2] == "locations" && names[4] == "workloadIdentityPools"
                && names[6] == "providers"
            : names.count == 6 && names[0] == "locations" && names[2] == "workforcePools" && names[4] == "providers"
    }
}
