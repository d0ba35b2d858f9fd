package import Failures

/// What decides how connections are made: the proxies, the trusted certificates and the addresses of hosts.
package struct ConnectionSettings: Sendable, Equatable {
    /// The proxies.
    package var proxies: ProxySettings
    /// The certificates that are trusted instead of the system's; `nil` for the system's.
    package var roots: TrustedRoots?
    /// The addresses of hosts that are not looked up; of several for the same host and port, the last address counts.
    package var addresses: [HostAddress]

    /// Creates settings; by default without proxies, with the system's certificates.
    package init(
        proxies: ProxySettings = ProxySettings(),
        roots: TrustedRoots? = nil,
        addresses: [HostAddress] = []
    ) {
        (self.proxies, self.roots, self.addresses) = (proxies, roots, addresses)
    }

    /// Returns the address of a host that is not looked up; `nil` for a host that is looked up.
    package func address(of origin: URLOrigin) -> HostAddress? {
        address(of: origin.host, port: origin.port ?? (origin.isSecure ? 443 : 80))
    }

    /// Returns the address of a host, in lower case, and a port.
    func address(of host: String, port: Int) -> HostAddress? {
        addresses.last { $0.host == host && $0.port == port }
    }

    /// Returns the options with which a command connects to a host as these settings do; `nil` if it needs none.
    ///
    /// A command reads the proxies of the environment itself, with their logins.
    package func options(for origin: URLOrigin) -> ConnectionOptions? {
        // The request reports an unusable proxy.
        let proxy = try? proxies.proxy(for: origin)
        return ConnectionOptions([
            .proxy: proxy.flatMap { $0.isOption ? $0.url : nil },
            .cacert: origin.isSecure ? roots?.path : nil,
            .resolve: proxy == nil ? address(of: origin)?.text : nil,
        ])
    }
}
