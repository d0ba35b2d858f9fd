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
