package import Failures
import FleetEngineProtos
import Runtime
import SwiftProtobuf
import TripModel

extension ServiceAnswer {
    /// Reads an error answer, `google.rpc.Status` in Google's format, `{"error": {…}}`; a text in another format is the message.
    package init(httpStatus: Int, body: [UInt8]) {
        self.init(httpStatus: httpStatus)
        guard let answer = ErrorAnswer(body) else {
            message = Self.plainText(body)
            return
        }
        status = answer.status?.boundedName
        message = answer.message.flatMap {
            $0.allSatisfy(\.isWhitespace) ? nil : $0.bounded(to: Self.longestMessage)
        }
        retryDelay =
            answer.details.lazy.compactMap { $0.decoded(as: Google_Rpc_RetryInfo.self) }
            .first(where: \.hasRetryDelay)?.retryDelay.length
        let infos = answer.details.compactMap { $0.decoded(as: Google_Rpc_ErrorInfo.self) }
        missingPermission = infos.compactMap { $0.metadata["permission"] }.first?.boundedName
        violations = Self.violations(of: answer)
        reasons = infos.map(\.reason).filter { !$0.isEmpty }.map(\.boundedName)
    }

    /// Returns the values that are not valid, and then the conditions that do not hold.
    private static func violations(of answer: ErrorAnswer) -> [Violation] {
        let fields = answer.details.filter { $0.isA(Google_Rpc_BadRequest.self) }
            .compactMap { $0.decoded(as: Google_Rpc_BadRequest.self) }
            .flatMap(\.fieldViolations).prefix(mostViolations).map { Violation($0.field, $0.description_p) }
        let conditions = answer.details.filter { $0.isA(Google_Rpc_PreconditionFailure.self) }
            .compactMap { $0.decoded(as: Google_Rpc_PreconditionFailure.self) }
            .flatMap(\.violations).prefix(mostViolations).map {
                Violation($0.subject.isEmpty ? $0.type : $0.subject, $0.description_p)
            }
        return Array((fields + conditions).prefix(mostViolations))
    }

    /// Returns the first line of a text, as gateways write; `nil` for JSON, for a page and for other data.
    private static func plainText(_ body: [UInt8]) -> String? {
        guard JSONValue(body) == nil, let text = String(validating: body, as: UTF8.self) else { return nil }
        let line = text.trimmingPrefix(while: \.isWhitespace).prefix { !$0.isNewline }
        guard let first = line.first, !"<{[\"".contains(first) else { return nil }
        return String(line).bounded(to: longestMessage)
    }
}
