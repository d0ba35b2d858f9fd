/// Error answers in recordings; what is read is bounded as if it were made anew.
extension ServiceAnswer: Codable {
    private enum Key: String, CodingKey {
        case httpStatus, grpcStatus, status, message, retryDelay, missingPermission, reasons, violations
    }

    /// The maximum number of reasons that are stored.
    private static let mostReasons = 10

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) throws -> String? {
            try members.decodeIfPresent(String.self, forKey: key).map { EvidenceText.recorded($0) }
        }
        self.init(
            httpStatus: min(max(try members.decode(Int.self, forKey: .httpStatus), 0), 999),
            grpcStatus: try members.decodeIfPresent(Int.self, forKey: .grpcStatus)
                .map { StatusCode(rawValue: $0) ?? .unknown },
            status: try text(.status),
            message: try text(.message),
            retryDelay: try members.decodeIfPresent(Double.self, forKey: .retryDelay).map(Duration.init(evidence:))
        )
        missingPermission = try text(.missingPermission)
        reasons = (try members.decodeIfPresent([String].self, forKey: .reasons) ?? []).prefix(Self.mostReasons)
            .map { EvidenceText.recorded($0) }
        violations = Array(
            (try members.decodeIfPresent([Violation].self, forKey: .violations) ?? []).prefix(Self.mostViolations)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(httpStatus, forKey: .httpStatus)
        try members.encodeIfPresent(grpcStatus?.rawValue, forKey: .grpcStatus)
        try members.encodeIfPresent(status.map { EvidenceText.recorded($0) }, forKey: .status)
        try members.encodeIfPresent(message.map { EvidenceText.recorded($0) }, forKey: .message)
        try members.encodeIfPresent(retryDelay?.evidence, forKey: .retryDelay)
        try members.encodeIfPresent(missingPermission.map { EvidenceText.recorded($0) }, forKey: .missingPermission)
        if !reasons.isEmpty {
            try members.encode(reasons.prefix(Self.mostReasons).map { EvidenceText.recorded($0) }, forKey: .reasons)
        }
        if !violations.isEmpty { try members.encode(violations, forKey: .violations) }
    }
}

extension ServiceAnswer.Violation: Codable {
    private enum Key: String, CodingKey {
        case subject, description
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) throws -> String {
            EvidenceText.recorded(try members.decodeIfPresent(String.self, forKey: key) ?? "")
        }
        self.init(try text(.subject), try text(.description))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(EvidenceText.recorded(subject), forKey: .subject)
        try members.encode(EvidenceText.recorded(description), forKey: .description)
    }
}
