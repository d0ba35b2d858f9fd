import Foundation
package import Transport

/// The proxies of the environment, or the one of an option, with the same rules as curl.
///
/// `https_proxy`/`HTTPS_PROXY` and `http_proxy` (lower case only, because a CGI request could set the other) name a proxy for
/// their scheme. `all_proxy`/`ALL_PROXY` is the fallback. An empty variable counts as unset. An option replaces them. `no_proxy`/
/// `NO_PROXY` lists the hosts that are reached without a proxy; no other host is, this machine's own addresses included.
package struct ProxySettings: Sendable, Equatable {
    /// A proxy, contacted over plain HTTP; it opens tunnels for TLS connections and forwards other requests.
    package struct Proxy: Sendable, Hashable {
        /// The variable or the option that names it.
        package var source: String
        /// The proxy's host.
        package var host: String
        /// The proxy's port; 80 by default.
        package var port: Int
        /// The decoded user name; `nil` if the URL contains none.
        package var user: String?
        /// The decoded password; a secret.
        package var password: String?

        /// The proxy in an error message, without the login.
        var name: String { "the proxy \(host.contains(":") ? "[\(host)]" : host):\(port) in \(source)" }

        /// Whether an option names it, not the environment.
        package var isOption: Bool { source == ProxySettings.option }

        /// The URL without the login and a path.
        package var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
    }

    /// The option for a proxy, as the source of a ``Proxy``.
    package static let option = "--proxy"

    /// A variable or an option with an unusable proxy.
    ///
    /// Requests are not sent directly instead, because that might violate a policy.
    package struct Fault: Error, Equatable {
        /// The variable or the option.
        package var source: String
        /// The scheme of its URL, if it is the reason.
        package var scheme: String?

        /// What is wrong and what to do, without the URL, which may contain a password.
        package var reason: String {
            let cause = scheme.map { "a proxy over \($0), which is not supported" }
            return "\(source) names \(cause ?? "no proxy"): give it as http://host:port"
        }
    }

    private var secure: Result<Proxy, Fault>?
    private var plain: Result<Proxy, Fault>?
    private var exceptions = ProxyExceptions()

    /// Creates settings without proxies.
    package init() {}

    /// Reads the proxies of an environment, and the URL of an option in place of the environment's.
    package init(environment: [String: String], option: String? = nil) {
        func first(_ names: String...) -> Result<Proxy, Fault>? {
            let name = names.first { environment[$0]?.isEmpty == false }
            return name.flatMap { name in environment[name].map { Self.proxy($0, source: name) } }
        }
        let given = option.map { Self.proxy($0, source: Self.option) }
        secure = given ?? first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        plain = given ?? first("http_proxy", "all_proxy", "ALL_PROXY")
        exceptions = ProxyExceptions(environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
    }

    /// Whether every proxy is usable.
    package var isUsable: Bool {
        [secure, plain].allSatisfy { proxy in if case .failure? = proxy { false } else { true } }
    }

    /// Returns the proxy for a URL; `nil` for a direct connection.
    package func proxy(for origin: URLOrigin) throws(Fault) -> Proxy? {
        guard let proxy = origin.isSecure ? secure : plain, !exceptions.contains(origin.host) else { return nil }
        return try proxy.get()
    }

    private static func proxy(_ text: String, source: String) -> Result<Proxy, Fault> {
        let parts = text.firstRange(of: "://").map { (text[..<$0.lowerBound].lowercased(), text[$0.upperBound...]) }
        let (scheme, rest) = parts ?? ("http", text[...])
        guard scheme == "http" else { return .failure(Fault(source: source, scheme: shown(scheme))) }
        let at = rest.lastIndex(of: "@")
        let place = at.map { rest[rest.index(after: $0)...] } ?? rest
        guard let origin = URLOrigin("http://" + place) else { return .failure(Fault(source: source)) }
        var proxy = Proxy(source: source, host: origin.host, port: origin.port ?? 80)
        if let at {
            let credentials = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            proxy.user = decoded(credentials[0])
            proxy.password = credentials.count > 1 ? decoded(credentials[1]) : nil
        }
        return .success(proxy)
    }

    /// Decodes percent-encoding; returns invalid encodings unchanged.
    private static func decoded(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }

    /// Returns a scheme in displayable form: a limited number of letters and digits.
    private static func shown(_ scheme: String) -> String {
        String(scheme.prefix(20).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "?" })
    }
}
