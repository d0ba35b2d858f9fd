import Recording
import TripScreen

extension Sentence {
    /// The text for standard error.
    var text: String { lines().joined(separator: "\n") }

    /// The advice for a final failure, in English; it must not promise an automatic retry.
    var lastAdvice: String? { last.remedy }

    /// The sentence for a program that ends with this failure.
    private var last: Sentence {
        var last = self
        last.advice = advice.map(Self.withoutPromises)
        return last
    }

    /// Returns English advice without its promise to retry.
    static func withoutPromises(_ advice: String) -> String {
        let left = advice.replacing(
            /(; |^)(asking goes on|(it is )?tried again) by itself(; )?/.ignoresCase(),
            with: ""
        )
        guard let first = left.first, first != "." else { return "Try again in a while." }
        return first.uppercased() + left.dropFirst()
    }

    /// The text for a program that ends with this failure.
    var lastText: String { last.text }
}

extension RecordingError {
    /// Describes what is wrong with the file and what to do.
    var sentence: String {
        switch self {
        case .empty: "it is empty.\nName a Cloud Logging export or a Fleet Debugger file."
        case .notJSON(let offset):
            "it is not JSON\(offset.map { " (byte \($0))" } ?? "").\nName a Cloud Logging export or a Fleet Debugger file."
        case .truncated: "it is cut off in the middle.\nExport or copy it again."
        case .otherKind(let kind):
            "it is \(kind), not the log of an on-demand trip.\nName a Cloud Logging export or a Fleet Debugger file."
        case .noTrips: "it tells of no trip.\nExport a time in which a trip was created or updated."
        case .tooLarge(let limit): "it is larger than \(limit >> 20) MiB.\nExport a shorter time."
        case .tooDeep, .tooManyValues, .tooManySnapshots: "it holds more than is read.\nExport a shorter time."
        }
    }
}

/// Returns a path in a form that can be pasted into a shell; quoted if necessary.
func pasteable(_ path: String) -> String {
    let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:@%,=".contains($0)) }
    if isPlain, !path.isEmpty { return path }
    return "'\(shown(path).dropFirst().dropLast().replacing("'", with: #"'\''"#))'"
}
