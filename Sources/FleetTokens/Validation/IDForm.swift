package import Failures
import Foundation
import TripModel

/// A form in which a claim has the requested ID although its text differs.
package enum IDForm: String, Sendable, CaseIterable {
    /// The end of a full resource name, such as `providers/p/trips/t`.
    case resourceName
    /// Percent-encoded, as in URLs.
    case percentEncoded
    /// With other upper and lower case.
    case letterCase

    /// Recognizes the form of a claim's value; `nil` if it is the ID itself, or another ID.
    package init?(of value: String, asked id: String) {
        guard !value.hasSameBytes(as: id), let form = Self.allCases.first(where: { $0.matches(value, id) }) else {
            return nil
        }
        self = form
    }

    private func matches(_ value: String, _ id: String) -> Bool {
        switch self {
        case .resourceName:
            // Every ID has a collection before it, so that `a/t` is no resource name.
            value.utf8.reversed().starts(with: "/\(id)".utf8.reversed())
                && value.utf8.dropLast(id.utf8.count + 1).contains(UInt8(ascii: "/"))
        case .percentEncoded:
            value.removingPercentEncoding.map {
                !$0.hasSameBytes(as: value) && ($0.hasSameBytes(as: id) || IDForm.resourceName.matches($0, id))
            } ?? false
        case .letterCase: value.lowercased().hasSameBytes(as: id.lowercased())
        }
    }
}

extension IDForm {
    /// The key of the text that names it.
    package var textKey: TextKey {
        switch self {
        case .resourceName: .idFormResourceName
        case .percentEncoded: .formPercentEncoded
        case .letterCase: .idFormLetterCase
        }
    }

    /// The key of the verdict on a claim in this form.
    var verdict: TextKey {
        switch self {
        case .resourceName: .verdictIDResourceName
        case .percentEncoded: .verdictIDPercentEncoded
        case .letterCase: .verdictIDLetterCase
        }
    }
}

extension Failure {
    /// The form of the ID in the claim of a token, if that is why it is not usable.
    package var idForm: IDForm? {
        guard code == .tokenIDForm else { return nil }
        return IDForm.allCases.first { values[FailureTerm.form.rawValue] == .term($0.textKey) }
    }
}
