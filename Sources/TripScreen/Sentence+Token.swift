package import FleetTokens
package import TripModel

extension Sentence {
    /// What kept the token of a trip from us.
    package init(_ error: TokenError, trip: TripID, say: Wording = .english) {
        self.init(error, for: "trip \(Reporter.harmless(trip.rawValue, limit: 64))", say: say)
    }

    /// What kept a token from us; `subject` says whose, such as `vehicle taxi-1`.
    package init(_ error: TokenError, for subject: String, say: Wording = .english) {
        switch error {
        case .noAuthorizationContext:
            self.init("no trip named", "A token was asked for without naming a trip or a vehicle", "Name the trip.")
        case .missingData(let cause, _), .unavailable(let cause, _):
            let sentence = Sentence(cause, say: say)
            self.init(sentence.short, "No token for \(subject): \(sentence.what)", sentence.advice)
        case .denied(let status, _):
            self.init(
                "denied, HTTP \(status)",
                "The token endpoint gives no token for \(subject) (HTTP \(status))",
                "Check the ID, and what the endpoint knows of your login."
            )
        case .unusable(let fault, _):
            let sentence = Sentence(fault, say: say)
            self.init(sentence.short, "The token for \(subject) can't be used: \(sentence.what)", sentence.advice)
        case .rejectedByService(let status, _):
            self.init(
                "new token refused, \(status)",
                "Fleet Engine refused a brand-new token for \(subject) (HTTP \(status))",
                "No newer one will help: check the clock, the signing key and the role of the service account."
            )
        case .tooShortLived(let left, let wanted):
            self.init(
                "lives too short",
                "The token for \(subject) has \(say.span(left)) left, and \(say.span(wanted)) were wanted",
                "Let the endpoint make tokens that live longer."
            )
        case .tooManyKeys(let limit):
            self.init("cache full", "All \(limit) places for tokens are in use", "Follow fewer trips at a time.")
        case .tooManyWaiters(let limit):
            self.init("too many waiters", "More than \(limit) callers wait for the token for \(subject)")
        case .cancelled: self.init("cancelled", "Waiting for the token for \(subject) was cancelled")
        case .closed: self.init("closed", "The token provider is closed")
        }
    }

    /// Why a source gave no token.
    package init(_ error: TokenSourceError, say: Wording = .english) {
        switch error {
        case .unreachable(let reason):
            self.init(
                "not reachable",
                "the token endpoint can't be reached (\(Reporter.harmless(reason, limit: 160)))",
                "Start it, or check host and port of --token-url; it is tried again by itself."
            )
        case .timedOut:
            self.init("no answer in time", "the token source did not answer in time", "It is tried again by itself.")
        case .refusedStatus(let status, let delay):
            let wait = delay.map { ", and asks to wait \(say.span($0))" } ?? ""
            self.init("HTTP \(status)", "the token endpoint answered with HTTP \(status)\(wait)", Self.advice(status))
        case .redirected(let status):
            self.init(
                "redirected, HTTP \(status)",
                "the token endpoint sends us elsewhere (HTTP \(status))",
                "Give the final address with --token-url; a secret in a header must not follow."
            )
        case .html(let status):
            self.init(
                "HTML, not a token",
                "the token endpoint answered with a web page instead of a token (HTTP \(status))",
                "A login form or a proxy stands between: open --token-url in a browser, give the header it asks for."
            )
        case .notJSON:
            self.init("not JSON", "the answer is neither JSON nor a bare token", "Check --token-url.")
        case .missingKey(let key):
            self.init(
                "no key ‘\(key)’",
                "the answer has no key ‘\(key)’",
                "Name the key that holds the token with --token-key."
            )
        case .wrongType(let key):
            self.init("‘\(key)’ is no token", "the key ‘\(key)’ holds something else", "Check --token-key.")
        case .empty: self.init("empty answer", "the answer is empty", "Look at the token source.")
        case .tooLarge(let limit):
            self.init("too large", "the answer is larger than \(say.bytes(limit))", "Check --token-url.")
        case .invalidURL:
            self.init("URL not usable", "the URL of the token endpoint can't be used", "Check --token-url.")
        case .insecureURL:
            self.init(
                "not encrypted",
                "plain http would send secrets in clear to another machine",
                "Use https, or --allow-plain-http if you know that nobody listens in."
            )
        case .unsupportedContext:
            self.init(
                "wrong kind",
                "the source makes no tokens of this kind",
                "A --token-url for trips holds {tripId}, one for vehicles {vehicleId}."
            )
        case .commandNotStarted(let reason):
            self.init(
                "command not started",
                "the command could not be started (\(Reporter.harmless(reason, limit: 160)))",
                "Check --token-command."
            )
        case .commandFailed(let status):
            self.init("command failed, \(status)", "the command ended with status \(status)", "Run it by hand.")
        case .commandKilled(let signal):
            self.init("command killed", "the command was ended by signal \(signal)", "Run it by hand.")
        case .unreadableFile(let reason):
            self.init(
                "file not readable",
                "the token file can't be read (\(Reporter.harmless(reason, limit: 160)))",
                "Check --token-file and its permissions."
            )
        case .missingVariable(let name):
            self.init("no variable \(name)", "the environment has no variable \(name)", "Set it, or check --token-env.")
        case .badKey(let reason):
            self.init(
                "key not usable",
                "the signing key can't be used (\(Reporter.harmless(reason, limit: 160)))",
                "Give the JSON file of a service account with --service-account."
            )
        case .cancelled: self.init("cancelled", "the fetch was cancelled")
        }
    }

    private static func advice(_ status: Int) -> String {
        switch status {
        case 401, 403: "Give the endpoint the login that it asks for."
        case 404, 410: "Check the path of --token-url: {tripId} stands where the ID belongs."
        case 429: "It is tried again by itself; a longer-lived token asks less often."
        case 500...: "Look at the endpoint's own log; it is tried again by itself."
        default: "Check --token-url."
        }
    }
}
