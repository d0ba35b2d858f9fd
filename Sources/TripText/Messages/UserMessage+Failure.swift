package import Failures
import FleetTokens
import Runtime

/// Messages from the rows of the table of failures.
extension UserMessage {
    /// Describes a failure with the texts of its row.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - context: Sanitized values that are not part of the failure, such as the host and the trip.
    ///   - localizer: The language.
    package init(
        _ failure: Failure,
        _ context: [String: String] = [:],
        localizer: Localizer = .english
    ) {
        let row = failure.row
        let proxied = localizer.sentence(ofProxied: failure, context)
        if row.traits.contains(.isOfCause), let cause = failure.cause {
            let message = UserMessage(cause, localizer: localizer)
            let values = context.merging(["cause": proxied ?? message.what]) { $1 }
            self.init(message.short, localizer.text(row.texts.what) { values[String($0)] }, adviceOf: message)
        } else {
            let values = localizer.values(of: failure).merging(context) { $1 }
            self.init(localizer, row.texts.short, row.texts.what, row.texts.advice, values)
            advise(about: failure, localizer)
            if let proxied {
                // The short text may say that the host denied it.
                let isDenial = row.stage == .provider
                if isDenial { short = localizer.text(.httpStatus) { values[String($0)] } }
                let cause = context.merging(["cause": proxied]) { $1 }
                what = isDenial ? localizer.text(.noTokenFor) { cause[String($0)] } : proxied
            }
            if let errors = failure.errors {
                what += localizer(.saidDetail(message: Reporter.sanitized(errors, limit: 500)))
            }
        }
        blame(Diagnosis(failure), localizer)
    }
}

extension Localizer {
    /// The maximum number of characters of values that have a limit of their own.
    private static let limits = ["name": 40, "answered": 64, "said": 60]

    /// Returns a sentence that does not claim that the host answered; `nil` if no proxy in between can have answered.
    fileprivate func sentence(ofProxied failure: Failure, _ context: [String: String]) -> String? {
        guard let proxy = failure.proxyAnswer else { return nil }
        let root = failure.root.with(failure.exchange)
        let status = root.exchange?.answer?.status.map(String.init) ?? ""
        let isPage = [.sourceHTML, .webPage].contains(root.code)
        let answer = self(isPage ? .webPage(status: status) : .httpStatus(status: status))
        let values = self.values(of: root).merging(context) { $1 }.merging(["answer": answer]) { $1 }
        let key: TextKey =
            switch (proxy, root.row.stage) {
            case (.marked, .service): .proxyAnsweredWhat
            case (.possible, .service): .proxyBetweenWhat
            case (.marked, _): .sourceProxyAnsweredWhat
            case (.possible, _): .sourceProxyBetweenWhat
            }
        return text(key) { values[String($0)] }
    }

    /// Returns the values of a failure as texts, sanitized.
    fileprivate func values(of failure: Failure) -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in failure.values {
            values[name] = text(value, limit: Self.limits[name] ?? 160)
        }
        // A provider without a token chooses its wait itself; no answer requests it.
        values["wait"] = (failure.isMissingToken ? nil : failure.retryAfter).map {
            self(.refusedStatusWait(duration: span($0)))
        }
        return values
    }

    private func text(_ value: FailureValue, limit: Int) -> String {
        switch value {
        case .text(let text): Reporter.sanitized(text, limit: limit)
        case .term(let key): self.text(key)
        case .number(let number): String(number)
        case .bytes(let bytes): self.bytes(bytes)
        case .duration(let duration): span(duration)
        case .texts(let texts):
            texts.map { "‘\(Reporter.sanitized($0, limit: 60))’" }.joined(separator: self(.listComma))
        }
    }
}
