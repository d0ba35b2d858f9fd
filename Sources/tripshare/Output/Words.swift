import Recording
import TripText

extension Sentence {
    /// The text for standard error.
    var text: String { lines().joined(separator: "\n") }

    /// The advice after the last try: nothing is tried again by itself.
    var lastAdvice: String? { last.remedy }

    /// The sentence of a program that ends with it.
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
