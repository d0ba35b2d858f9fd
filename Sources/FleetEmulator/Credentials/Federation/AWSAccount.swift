/// The emulated AWS account in which a workload runs, with its temporary key pair.
struct AWSAccount: Sendable {
    static let region = "eu-west-1"
    static let role = "tripshare-role"

    let accessKeyID = "ASIATRIPSHAREEMULATE"
    /// A secret.
    let secretKey = RandomText.make()
    /// A secret.
    let sessionToken = RandomText.make()
    /// What a caller of the instance's metadata must send; a secret.
    let metadataToken = RandomText.make()
}
