package import Failures
import Foundation

/// The proxies of the environment, or the proxy of an option, with the same rules as curl.
///
/// `https_proxy`/`HTTPS_PROXY` and `http_proxy` (lower case only, because a CGI request could set the other) name a proxy for
/// their scheme. `all_proxy`/`ALL_PROXY` is the fallback. An empty variable counts as unset. An option replaces them. `no_proxy`/
/// `NO_PROXY` lists the hosts that are reached without a proxy. This machine's own addresses are reached through a proxy only if
/// the option names it: their services are not known to a proxy elsewhere.
package struct ProxySettings: Sendable, Equatable {
    /// A proxy, contacted over plain HTTP; it opens tunnels for TLS connections and forwards other requests.
    package struct Proxy: Sendable, Hashable {
        /// The variable, the option or the setting that names it.
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

        /// Whether an option or a setting names it, not the variables of all programs.
        package var isOption = false

        /// The URL without the login and a path.
        package var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
    }

    /// The option for a proxy, as the source of a ``Proxy``.
    package static let option = "--proxy"

    /// A proxy that can't be used.
    ///
    /// Requests are not sent directly instead, because that might violate a policy.
    package struct Fault: Error, Equatable {
        /// The variable or the option.
        package var source: String
        /// What is wrong.
        package var problem: Problem

        /// What is wrong with a proxy.
        package enum Problem: Sendable, Equatable {
            /// The value is no URL of a proxy; holds the scheme, if it is the reason.
            case unusable(scheme: String?)
            /// The login for the proxy would be sent in clear.
            case loginInClear
            /// A request over plain HTTP, with its token, would be sent in clear.
            case requestInClear
        }

        /// What is wrong and what to do, without the URL, which may contain a password.
        package var reason: String {
            switch problem {
            case .unusable(let scheme):
                let cause = scheme.map { "a proxy over \($0), which is not supported" }
                return "\(source) names \(cause ?? "no proxy"): give it as http://host:port"
            case .loginInClear:
                return
                    "the login in \(source) would be sent over plain HTTP: use --allow-plain-http if the network is trusted"
            case .requestInClear:
                return
                    "a request over plain HTTP would be sent to the proxy in \(source) with its token: use an https URL, or "
                    + "--allow-plain-http if the network is trusted"
            }
        }
    }

    /// Whether this machine's own addresses are reached through the proxy.
    private var includesLoopback = false
    private var secure: Result<Proxy, Fault>?
    private var plain: Result<Proxy, Fault>?
    private var exceptions = ProxyExceptions()
    private var allowsPlainHTTP = false

    /// Creates settings without proxies.
    package init() {}

    /// Reads the proxies of an environment, and the URL of an option in place of the environment's, or of a setting with the name.
    ///
    /// With `allowsPlainHTTP`, logins and requests that are not encrypted may be sent to proxies on other machines.
    package init(
        environment: [String: String],
        option: String? = nil,
        named name: String = ProxySettings.option,
        allowsPlainHTTP: Bool = false
    ) {
        self.allowsPlainHTTP = allowsPlainHTTP
        func first(_ names: String...) -> Result<Proxy, Fault>? {
            let name = names.first { environment[$0]?.isEmpty == false }
            return name.flatMap { name in environment[name].map { Self.proxy($0, source: name) } }
        }
        let given = option.map { Self.proxy($0, source: name, isOption: true) }
        includesLoopback = given != nil && name == Self.option
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
        guard let choice = origin.isSecure ? secure : plain, !exceptions.contains(origin.host) else { return nil }
        if origin.isLoopback, !includesLoopback { return nil }
        let proxy = try choice.get()
        guard !allowsPlainHTTP, !URLOrigin.isLoopback(proxy.host) else { return proxy }
        if proxy.user != nil { throw Fault(source: proxy.source, problem: .loginInClear) }
        if !origin.isSecure { throw Fault(source: proxy.source, problem: .requestInClear) }
        return proxy
    }

    private static func proxy(_ text: String, source: String, isOption: Bool = false) -> Result<Proxy, Fault> {
        let parts = text.firstRange(of: "://").map { (text[..<$0.lowerBound].lowercased(), text[$0.upperBound...]) }
        let (scheme, rest) = parts ?? ("http", text[...])
        guard scheme == "http" else {
            return .failure(Fault(source: source, problem: .unusable(scheme: shown(scheme))))
        }
        let at = rest.lastIndex(of: "@")
        let place = at.map { rest[rest.index(after: $0)...] } ?? rest
        guard let origin = URLOrigin("http://" + place) else {
            return .failure(Fault(source: source, problem: .unusable(scheme: nil)))
        }
        var proxy = Proxy(source: source, host: origin.host, port: origin.port ?? 80, isOption: isOption)
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
