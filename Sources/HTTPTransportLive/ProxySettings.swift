import Foundation
package import HTTPTransport

/// The proxies that the environment names, read as curl reads them.
///
/// `https_proxy`/`HTTPS_PROXY` and `http_proxy` (lower case only, as a CGI program's environment could hold the other) name
/// a proxy each, `all_proxy`/`ALL_PROXY` the one for what is left, `no_proxy`/`NO_PROXY` the hosts that are reached without:
/// names with all below them, or `*` for all. An empty variable says nothing. Loopback hosts never go through a proxy.
package struct ProxySettings: Sendable, Equatable {
    /// A proxy, spoken to over plain HTTP; TLS to the target goes through it.
    package struct Proxy: Sendable, Hashable {
        /// The proxy's host.
        package var host: String
        /// The proxy's port; 80 where the URL names none.
        package var port: Int
        /// The user's name, decoded; `nil` where the URL holds none.
        package var user: String?
        /// The password, decoded; secret.
        package var password: String?
    }

    /// A variable that names no proxy that can be used; going around it unasked could be against somebody's rules.
    package struct Fault: Error, Equatable {
        /// The variable.
        package var variable: String
        /// The scheme of its URL, where that is why.
        package var scheme: String?

        /// What is wrong and what to do, without the URL, which may hold a password.
        package var reason: String {
            let cause = scheme.map { "a proxy that is spoken to over \($0), which this program can't do" }
            return "\(variable) names \(cause ?? "no proxy"): give it as http://host:port"
        }
    }

    private var secure: Result<Proxy, Fault>?
    private var plain: Result<Proxy, Fault>?
    private var exceptions: [String] = []

    /// No proxies at all.
    package init() {}

    /// The proxies of an environment.
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

    /// The proxy through which a URL is reached; `nil` for none.
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
        var proxy = Proxy(host: origin.host, port: origin.port ?? 80)
        if let at {
            let credentials = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            proxy.user = decoded(credentials[0])
            proxy.password = credentials.count > 1 ? decoded(credentials[1]) : nil
        }
        return .success(proxy)
    }

    /// What percent-encoding stands for; what is none, as it is.
    private static func decoded(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }

    /// A scheme as it may be said: letters and digits, not too many of them.
    private static func shown(_ scheme: String) -> String {
        String(scheme.prefix(20).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "?" })
    }
}
