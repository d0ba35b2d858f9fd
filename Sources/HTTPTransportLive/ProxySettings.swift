package import HTTPTransport

/// The proxies that the environment names, read as curl reads them.
///
/// `https_proxy`/`HTTPS_PROXY` and `http_proxy` (lower case only, as a CGI program's environment could hold the other) name
/// a proxy each, `no_proxy`/`NO_PROXY` the hosts that are reached without: names with all below them, or `*` for all.
/// Loopback hosts never go through a proxy.
package struct ProxySettings: Sendable, Equatable {
    /// A proxy, spoken to over plain HTTP; TLS to the target goes through it.
    package struct Proxy: Sendable, Hashable {
        /// The proxy's host.
        package var host: String
        /// The proxy's port.
        package var port: Int
        /// User name and password, as they stand in the URL; secret.
        var credentials: String?
    }

    private var secure: Proxy?
    private var plain: Proxy?
    private var exceptions: [String] = []

    /// No proxies at all.
    package init() {}

    /// The proxies of an environment; what is not the URL of an HTTP proxy is left out.
    package init(environment: [String: String]) {
        secure = (environment["https_proxy"] ?? environment["HTTPS_PROXY"]).flatMap(Self.proxy)
        plain = environment["http_proxy"].flatMap(Self.proxy)
        exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
            .split { $0 == "," || $0 == " " }
            .map { $0.lowercased().drop { $0 == "." } }
            .map(String.init)
    }

    /// The proxy through which a URL is reached; `nil` for none.
    package func proxy(for origin: URLOrigin) -> Proxy? {
        guard let proxy = origin.isSecure ? secure : plain, !origin.isLoopback else { return nil }
        let isException = exceptions.contains { name in
            name == "*" || origin.host == name || origin.host.hasSuffix("." + name)
        }
        return isException ? nil : proxy
    }

    private static func proxy(_ text: String) -> Proxy? {
        var url = text.contains("://") ? text : "http://" + text
        var credentials: String?
        if let scheme = url.firstRange(of: "://"), let at = url.lastIndex(of: "@") {
            credentials = String(url[scheme.upperBound..<at])
            url.removeSubrange(scheme.upperBound...at)
        }
        guard let origin = URLOrigin(url), !origin.isSecure else { return nil }
        return Proxy(host: origin.host, port: origin.port ?? 80, credentials: credentials)
    }
}
