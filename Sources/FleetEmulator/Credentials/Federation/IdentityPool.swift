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
