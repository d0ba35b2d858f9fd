import Foundation
package import HTTPTransport

/// The proxies in the environment, with the same rules as curl.
///
/// `https_proxy`/`HTTPS_PROXY` and `http_proxy` (lower case only, because a CGI request could set the other) name a proxy for
/// their scheme. `all_proxy`/`ALL_PROXY` is the fallback. `no_proxy`/`NO_PROXY` lists the domains, including their subdomains,
/// that are reached without a proxy, or `*` for all. An empty variable counts as unset. Loopback hosts never use a proxy.
package struct ProxySettings: Sendable, Equatable {
    /// A proxy, contacted over plain HTTP; TLS connections to the target are tunneled.
    package struct Proxy: Sendable, Hashable {
        /// The variable that names it.
        package var variable: String
        /// The proxy's host.
        package var host: String
        /// The proxy's port; 80 by default.
        package var port: Int
        /// The decoded user name; `nil` if the URL contains none.
        package var user: String?
        /// The decoded password; a secret.
        package var password: String?

        /// The proxy in an error message, without the login.
        var name: String { "the proxy \(host.contains(":") ? "[\(host)]" : host):\(port) in \(variable)" }
    }

    /// A variable with an unusable proxy.
    ///
    /// Requests are not sent directly instead, because that might violate a policy.
    package struct Fault: Error, Equatable {
        /// The variable.
        package var variable: String
        /// The scheme of its URL, if it is the reason.
        package var scheme: String?

        /// What is wrong and what to do, without the URL, which may contain a password.
        package var reason: String {
            let cause = scheme.map { "a proxy over \($0), which is not supported" }
            return "\(variable) names \(cause ?? "no proxy"): give it as http://host:port"
        }
    }

    private var secure: Result<Proxy, Fault>?
    private var plain: Result<Proxy, Fault>?
    private var exceptions: [String] = []

    /// Creates settings without proxies.
    package init() {}

    /// Reads the proxies of an environment.
    package init(environment: [String: String]) {
        func first(_ names: String...) -> Result<Proxy, Fault>? {
            let name = names.first { environment[$0]?.isEmpty == false }
            return name.flatMap { name in environment[name].map { Self.proxy($0, variable: name) } }
        }
        secure = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        plain = first("http_proxy", "all_proxy", "ALL_PROXY")
        exceptions = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
            .split { $0 == "," || $0 == " " }
            .map { $0.lowercased().drop { $0 == "." } }
            .map(String.init)
    }

    /// Returns the proxy for a URL; `nil` for a direct connection.
    package func proxy(for origin: URLOrigin) throws(Fault) -> Proxy? {
        guard let proxy = origin.isSecure ? secure : plain, !origin.isLoopback else { return nil }
        let isException = exceptions.contains { name in
            name == "*" || origin.host == name || origin.host.hasSuffix("." + name)
        }
        return isException ? nil : try proxy.get()
    }

    private static func proxy(_ text: String, variable: String) -> Result<Proxy, Fault> {
        let parts = text.firstRange(of: "://").map { (text[..<$0.lowerBound].lowercased(), text[$0.upperBound...]) }
        let (scheme, rest) = parts ?? ("http", text[...])
        guard scheme == "http" else { return .failure(Fault(variable: variable, scheme: shown(scheme))) }
        let at = rest.lastIndex(of: "@")
        let place = at.map { rest[rest.index(after: $0)...] } ?? rest
        guard let origin = URLOrigin("http://" + place) else { return .failure(Fault(variable: variable)) }
        var proxy = Proxy(variable: variable, host: origin.host, port: origin.port ?? 80)
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
