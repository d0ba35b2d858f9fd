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
