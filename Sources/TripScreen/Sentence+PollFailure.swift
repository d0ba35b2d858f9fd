import FleetTokens
import HTTPTransport
package import TripFeed
package import TripModel

extension Sentence {
    /// Why a poll of a trip at a host brought no trip.
    package init(_ failure: PollFailure, trip: TripID, host: String, say: Wording = .english) {
        let name = Reporter.harmless(trip.rawValue, limit: 64)
        let host = Reporter.harmless(host, limit: 80)
        switch failure {
        case .token(let error):
            self = Sentence(error, trip: trip, say: say)
        case .transport(let error):
            self = Self.transport(error, host, say)
        case .service(_, let retryAfter):
            let status = failure.httpStatus ?? 0
            let said = failure.detail.map { " (‘\(Reporter.harmless($0, limit: 160))’)" } ?? ""
            self = Self.service(status, failure.code, said, name, host, retryAfter, say)
        case .webPage(let status, let title):
            let titled = title.map { " titled ‘\(Reporter.harmless($0, limit: 60))’" } ?? ""
            self.init(
                "a web page, HTTP \(status)",
                "\(host) answered with a web page\(titled) instead of a trip (HTTP \(status))",
                "A proxy or a login page may stand between: open the URL in a browser, check --fleet-engine-url."
            )
        case .redirected(let status):
            self.init(
                "redirected, HTTP \(status)",
                "\(host) sends us elsewhere (HTTP \(status)), where the token must not follow",
                "Give the final address with --fleet-engine-url."
            )
        case .unreadable:
            let reason = failure.detail.map { ": \(Reporter.harmless($0, limit: 160))" } ?? ""
            self.init(
                "answer not readable",
                "The answer of \(host) can't be read as a trip\(reason)",
                "Check that --fleet-engine-url names a Fleet Engine; asking goes on by itself."
            )
        case .anotherTrip(let other):
            self.init(
                "answer for another trip",
                "\(host) answered with trip \(Reporter.harmless(other.rawValue, limit: 64)), asked for was \(name)",
                "A cache or a proxy mixes up answers; look at what stands between."
            )
        }
    }

    private static func transport(_ error: HTTPTransportError, _ host: String, _ say: Wording) -> Sentence {
        switch error {
        case .invalidURL:
            Sentence("URL not usable", "The URL of the Fleet Engine can't be asked", "Check --fleet-engine-url.")
        case .refused:
            Sentence(
                "connection refused",
                "Nobody listens at \(host): the connection was refused",
                "Start the Fleet Engine, or check host and port of --fleet-engine-url; asking goes on by itself."
            )
        case .unknownHost:
            Sentence(
                "unknown host",
                "The name \(host) is not known to any name server",
                "Check the network and --fleet-engine-url; asking goes on by itself."
            )
        case .tls(let reason):
            Sentence(
                "TLS failed",
                "No secure connection to \(host): \(Reporter.harmless(reason, limit: 160))",
                "Check the certificate, the machine's clock and whether a proxy opens TLS."
            )
        case .timedOut:
            Sentence(
                "no answer in time",
                "\(host) did not answer in time",
                "The network or the service is slow; asking goes on by itself."
            )
        case .connectionLost:
            Sentence(
                "connection lost",
                "The connection to \(host) broke before the answer was complete",
                "Asking goes on by itself."
            )
        case .tooLarge(let limit):
            Sentence(
                "answer too large",
                "The answer of \(host) is larger than \(say.bytes(limit))",
                "Check that --fleet-engine-url names a Fleet Engine."
            )
        case .malformed(let reason):
            Sentence(
                "not HTTP",
                "What \(host) sent is not HTTP: \(Reporter.harmless(reason, limit: 160))",
                "Check the port and whether it is http or https in --fleet-engine-url."
            )
        case .cancelled:
            Sentence("cancelled", "The request to \(host) was cancelled")
        case .other(let reason):
            Sentence(
                "connection failed",
                "The request to \(host) failed: \(Reporter.harmless(reason, limit: 160))",
                "Asking goes on by itself."
            )
        }
    }

    private static func service(
        _ status: Int,
        _ code: String,
        _ said: String,
        _ trip: String,
        _ host: String,
        _ retryAfter: Duration?,
        _ say: Wording
    ) -> Sentence {
        let short = "\(status) \(code.hasPrefix("HTTP_") ? "error" : code)"
        switch status {
        case 400:
            return Sentence(
                short,
                "\(host) does not take the request for trip \(trip)\(said)",
                "Check the trip ID and --provider-id: it must be the Cloud project that owns the trips."
            )
        case 401:
            return Sentence(
                short,
                "\(host) does not accept the token for trip \(trip)\(said)",
                "Expired, signed with a key that it does not know, or without a trip ID: "
                    + "`tripshare token inspect` tells which."
            )
        case 403:
            return Sentence(short, "\(host) does not let the token read trip \(trip)\(said)", forbidden(said))
        case 404:
            return Sentence(
                short,
                "There is no trip \(trip) at \(host)\(said)",
                "Check the trip ID and --provider-id; a trip is there only once it has been created."
            )
        case 429:
            let wait = retryAfter.map { ", it asks to wait \(say.span($0))" } ?? ""
            return Sentence(
                short,
                "\(host) gets too many requests\(wait)\(said)",
                "Ask at a longer interval, or raise the quota of the project."
            )
        case 504:
            return Sentence(short, "\(host) ran out of time\(said)", "Asking goes on by itself.")
        case 500...:
            return Sentence(
                short,
                "\(host) is not available just now (HTTP \(status))\(said)",
                "Asking goes on by itself."
            )
        default:
            return Sentence(
                short,
                "\(host) answered with HTTP \(status)\(said)",
                "Check --fleet-engine-url, the trip ID and --provider-id."
            )
        }
    }

    /// The causes of a 403 that fit what the service said.
    private static func forbidden(_ said: String) -> String {
        let words = said.lowercased()
        if words.contains("scope") {
            return "The token has no `authorization` claim: sign it with {\"tripid\": …} in it."
        }
        if words.contains("not been used") || words.contains("disabled") || words.contains("not enabled") {
            return "Enable the Fleet Engine API in the Cloud project that owns the trips."
        }
        return "The token names another trip, its service account lacks the consumer role, "
            + "or the API is not enabled: `tripshare token inspect` tells which."
    }
}
