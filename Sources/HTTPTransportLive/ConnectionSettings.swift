/// What decides how connections are made: the proxies and the trusted certificates.
package struct ConnectionSettings: Sendable, Equatable {
    /// The proxies.
    package var proxies: ProxySettings
    /// The certificates that are trusted instead of the system's; `nil` for the system's.
    package var roots: TrustedRoots?

    /// Creates settings; by default without proxies, with the system's certificates.
    package init(proxies: ProxySettings = ProxySettings(), roots: TrustedRoots? = nil) {
        (self.proxies, self.roots) = (proxies, roots)
    }
}
