import Failures
import TripText

/// The tables of the manual's pages about exit codes and error codes.
enum FailureDocumentation {
    /// The table of exit codes.
    static var exitCodes: [String] {
        ["| code | meaning |", "|---|---|"] + ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
    }

    /// The table of the codes in JSON, one line for each row of the table of failures.
    static var errorCodes: [String] {
        var known: Set<String> = []
        let rows = Failure.ofEachRow.filter { !$0.row.traits.contains(.isOfCause) && $0.row.retry != .notNeeded }
        return ["| code | exit code | suspected first | polled again | what happened |", "|---|---|---|---|---|"]
            + rows.map(line).filter { known.insert($0).inserted }
    }

    /// The table of the warnings about tokens.
    static var warnings: [String] {
        let rows = Failure.ofEachRow.filter { $0.row.retry == .notNeeded }
        return ["| warning | suspected first | what was found |", "|---|---|---|"]
            + rows.map { "| `\($0.name)` | \($0.row.party?.rawValue ?? "–") | \(sentence($0)) |" }
    }

    private static func line(_ failure: Failure) -> String {
        let row = failure.row
        let party = row.party?.rawValue ?? "–"
        let name = failure.nameInJSON + (row.name == "status" ? "_…" : "")
        return "| `\(name)` | \(row.exit.rawValue) | \(party) | \(row.retry.meaning) | \(sentence(failure)) |"
    }

    /// The English sentence about a failure, with its values left out.
    private static func sentence(_ failure: Failure) -> String {
        let sentence = Localizer.english.text(failure.row.texts.what) { _ in "…" }
        return sentence.replacing(/…+/, with: "…").replacing("|", with: "\\|")
    }
}

extension ExitStatus {
    /// What the code means, in the manual.
    fileprivate var meaning: String {
        switch self {
        case .done: "success"
        case .expectationFailed:
            "an expectation failed: a trip did not reach the status of `--until`, a token has a fault, "
                + "`doctor` found an old position or no vehicle, a script step timed out, a scenario's `expect` "
                + "was violated, an expectation of `--expect` failed, the recordings of `compare` differ, `verify` "
                + "found a difference, or a notice of `notices send` was refused"
        case .usage: "wrong usage"
        case .badInput:
            "a file has invalid content (recording, scenario, expectations, route, ready file, script, base "
                + "map), nothing in it can be exported in the format, or `drive` cannot serve the trip with this "
                + "route"
        case .notFound: "no such file, or no such trip"
        case .unavailable:
            "the service or the token endpoint is unavailable, `--timeout` passed without a lasting failure before "
                + "every trip was received and had reached `--until`, the system allows too few open files or too "
                + "little address space, or there is no terminal for the screen"
        case .internalError: "internal error"
        case .outputFailed:
            "output could not be written: standard output (a full disk, a closed descriptor), a ready file, "
                + "a certificate, the file of `--report` or `export`, or a picture of a script. If the reader has "
                + "closed the pipe (`\\| head`), the program ends without a message"
        case .stillWaiting: "`notices send`: notices still wait for their receivers"
        case .notPermitted: "permission denied: 401, 403, or a token that must not be used"
        case .badConfiguration:
            "configuration error; also a missing token file or variable, an unusable proxy, a service "
                + "without the method, and a port without TLS or HTTP/2 in `--fleet-engine-url`"
        case .interrupted: "interrupted; 128 plus the signal's number for other signals"
        }
    }
}

extension RetryRule {
    /// When a trip is polled again, in the manual.
    fileprivate var meaning: String {
        switch self {
        case .notNeeded: "–"
        case .soon: "soon"
        case .backOff: "after a growing delay"
        case .withSource: "when the token is fetched again, soon"
        case .backOffWithSource: "when the token is fetched again, after a growing delay"
        case .withNewToken: "with another token, then after a growing delay"
        case .withNewTokenOnce: "with another token, then no more"
        case .whenTokenChanges: "when there is another token"
        case .whenCreated: "at the interval"
        case .never, .ended: "no"
        }
    }
}
