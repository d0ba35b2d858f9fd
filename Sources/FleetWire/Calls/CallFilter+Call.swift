package import Failures

extension CallFilter {
    /// Returns whether a call is shown.
    package func matches(_ call: Call) -> Bool { isEmpty || matches { call.texts(of: $0) } }
}

extension Call {
    /// Returns the texts of a part of the call for filters.
    fileprivate func texts(of part: CallFilter.Part) -> [String] {
        switch part {
        case .from: [self.asker.rawValue]
        case .to: [self.answerer.rawValue]
        case .operation: [self.operation.rawValue]
        case .path: ["\(self.request.method ?? "") \(self.request.url)"]
        case .id: [self.subject]
        case .status: statusTexts
        case .token: self.credential.map { [$0.kind, $0.fingerprint] } ?? []
        case .fault: self.fault?.names ?? []
        case .reason: reasonTexts
        }
    }

    private var statusTexts: [String] {
        let number = self.answer?.status ?? self.failure?.answer?.httpStatus
        let name = self.failure.map { $0.answer?.status ?? number.map { StatusCode(httpStatus: $0).name } ?? "" }
        let numbers = number.map { ["\($0)", "\($0 / 100)xx"] } ?? []
        return numbers + [name].compactMap(\.self) + [self.failure == nil ? "ok" : "error"]
    }

    private var reasonTexts: [String] {
        guard let failure = self.failure else { return [] }
        return [failure.answer?.message, failure.exchange?.answer?.body?.message, failure.brokenRule?.rule.rawValue]
            .compactMap(\.self) + [failure.code.rawValue]
    }
}
