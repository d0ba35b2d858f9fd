/// OAuth scopes.
package enum Scope {
    /// The scope of all of Fleet Engine's methods and of IAM Credentials.
    package static let cloudPlatform = "https://www.googleapis.com/auth/cloud-platform"
}
