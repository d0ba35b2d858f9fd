import Failures
import Runtime
import TripFeed
import TripText

extension NoticeReceiver {
    /// Why a text is no receiver, in the language of the process.
    struct Problem: Error, CustomStringConvertible {
        let description: String

        init(_ text: Text) { description = Localizer.ofProcess(text) }

        init(_ failure: CommandFailure) { description = failure.message(.ofProcess) }

        init(_ problem: NoticeTrigger.Problem) {
            switch problem {
            case .unknown(let name):
                self.init(.noticeUnknown(name: excerpt(value: name), names: NoticeKindRow.forms))
            case .needsNumber(let kind): self.init(Self.need(of: kind))
            case .needsRule(let kind): self.init(.noticeNeedsRule(event: kind.rawValue))
            case .unknownRule(let name):
                let names = FindingRule.all.map(\.id)
                let advice = Text(nearest: Spelling.nearest(to: name, among: names), among: names)
                self.init(.noticeUnknownRule(name: excerpt(value: name), advice: Localizer.ofProcess(advice)))
            case .takesNone(let kind): self.init(.noticeTakesNone(event: kind.rawValue))
            }
        }

        /// The text about the number that a kind needs.
        private static func need(of kind: Notice.Kind) -> Text {
            switch NoticeKindRow.row(of: kind).value {
            case .number(.stops): .noticeNeedsStops(event: kind.rawValue)
            case .number(.seconds): .noticeNeedsSeconds(event: kind.rawValue)
            case .number(.minutes), .rule, .none: .noticeNeedsMinutes(event: kind.rawValue)
            }
        }
    }

    /// Parses `EVENT=COMMAND`.
    init(parsing text: String) throws(Problem) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw Problem(.noticeForm(names: NoticeKindRow.forms)) }
        let triggers = try Self.triggers(parts[0])
        do throws(CommandFailure) {
            self.init(triggers: triggers, action: .command(try TokenOrigin.words(parts[1], of: "--on")))
        } catch {
            throw Problem(error)
        }
    }

    /// Parses events that are separated by commas.
    static func triggers(_ text: String) throws(Problem) -> [NoticeTrigger] {
        var triggers: [NoticeTrigger] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            do throws(NoticeTrigger.Problem) {
                triggers.append(try NoticeTrigger(parsing: String(name)))
            } catch {
                throw Problem(error)
            }
        }
        return triggers
    }
}

extension Webhook {
    /// Reads an address from the command line, `env:NAME` or `file:PATH`.
    ///
    /// Throws a ``CommandFailure`` if there is none, or if it is neither with https nor with http on this machine.
    static func address(_ text: String, environment: [String: String]) throws(CommandFailure) -> String {
        guard let reference = SecretReference(text) else {
            guard accepts(text) else { throw CommandFailure(.usage, .noticeURL(url: excerpt(text.asShownURL))) }
            return text
        }
        let url = try reference.read(for: "--webhook", environment: environment)
        guard accepts(url) else {
            throw CommandFailure(.badConfiguration, .noticeURL(url: reference.shownPlace))
        }
        // The host is shown, so that a message can name the receiver.
        if let path = URLOrigin(url)?.path { KnownSecrets.ofProcess.add(Array(path.utf8)) }
        reference.warnIfOpen { .warningAddressFileOpen(file: $0, path: $1) }
        return url
    }

    /// Returns whether notices may be posted to a URL: with https, or with http on this machine.
    static func accepts(_ url: String) -> Bool {
        URLOrigin(url).map { $0.isSecure || $0.isLoopback } ?? false
    }
}

extension WebhookSecret {
    /// Reads the secret of `env:NAME` or `file:PATH`; throws a ``CommandFailure`` if there is none.
    init(_ reference: SecretReference, environment: [String: String]) throws(CommandFailure) {
        let text = try reference.read(for: "--webhook-secret", environment: environment)
        guard let secret = WebhookSecret(text) else {
            throw CommandFailure(.badConfiguration, .failureWebhookSecret(place: reference.shownPlace))
        }
        reference.warnIfOpen { .warningSecretFileOpen(file: $0, path: $1) }
        self = secret
    }
}

extension SecretReference {
    /// Reads the value for an option; throws a ``CommandFailure`` that names the place if there is none.
    fileprivate func read(for option: String, environment: [String: String]) throws(CommandFailure) -> String {
        let found: String?
        do throws(Failure) {
            found = try value(environment: environment)
        } catch {
            // Why it can't be read does not change the remedy.
            throw CommandFailure(.badConfiguration, .settingReference(source: option, place: shownPlace))
        }
        guard let found else {
            throw CommandFailure(.badConfiguration, .settingReferenceForm(source: option, place: shownPlace))
        }
        return found
    }

    /// Warns if it is a file that other users can read.
    fileprivate func warnIfOpen(_ warning: (_ file: String, _ path: String) -> Text) {
        if case .file(let path) = self { InputFile.warnIfOpen(path, warning) }
    }
}
