import Failures
import TransportLive
import TripText

extension ConnectionSettings {
    /// Returns what is special about connections to a URL, as the end of a sentence, and which option or variable decided it.
    func words(for url: String, _ localizer: Localizer) -> String {
        guard let origin = URLOrigin(url) else { return "" }
        var words = ""
        // The next check reports an unusable proxy.
        if let proxy = try? proxies.proxy(for: origin) {
            words += localizer(.doctorProxy(proxy: excerpt(proxy.url), source: proxy.source))
        } else if let address = address(of: origin) {
            words += localizer(.doctorAddress(address: excerpt(address.address), source: "--resolve"))
        }
        if origin.isSecure, let roots {
            words += localizer(.doctorRoots(path: excerpt(path: roots.path), source: roots.source))
        }
        return words
    }
}
