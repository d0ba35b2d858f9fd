import Failures
import Runtime
import TransportLive
import TripText

/// The proxy of the settings.
enum ProxySetting: Sendable {
    /// The URL, without a login.
    case url(String)
    /// Where the URL is, which may have a login.
    case reference(SecretReference)

    /// Creates a setting from a URL, or from a place of one.
    init(_ text: String) { self = SecretReference(text).map { .reference($0) } ?? .url(text) }

    /// Returns the URL; throws a ``CommandFailure`` that names the source if the variable or the file has none.
    func url(from source: SettingSource, environment: [String: String]) throws(CommandFailure) -> String {
        switch self {
        case .url(let url): return url
        case .reference(let reference):
            // Why it can't be read does not change the remedy.
            guard let url = try? reference.value(environment: environment) else {
                let place =
                    switch reference {
                    case .variable(let name): "env:" + excerpt(value: name)
                    case .file(let path): "file:" + excerpt(path: path)
                    }
                throw CommandFailure(.badConfiguration) {
                    $0(.settingReference(source: source.words($0), place: place))
                }
            }
            if let end = url.lastIndex(of: "@") {
                let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
                for secret in [url[...], url[start..<max(start, end)]] {
                    KnownSecrets.ofProcess.add(Array(secret.utf8))
                }
            }
            return url
        }
    }
}
