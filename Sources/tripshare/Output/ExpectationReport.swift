import Canvas
import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// The results of the expectations of a session as a file.
struct ExpectationReport {
    let results: [ExpectationResult]
    /// The host of the service.
    let host: String
    let begins: Moment
    let ends: Moment
    /// The recording of the session; `nil` without one.
    var recording: String?
    /// The notes, marks and switched faults.
    var remarks: [SessionRemark] = []

    /// The remarks without captions.
    private var retained: [SessionRemark] {
        remarks.filter { if case .caption = $0.content { false } else { true } }
    }

    private func count(_ outcome: ExpectationResult.Outcome) -> Int { results.count { $0.outcome == outcome } }

    /// The duration of the session in seconds.
    private var duration: Double { max(0, (ends.steady - begins.steady).seconds) }

    // MARK: JSON

    private struct Document: Encodable {
        var program: String
        var host: String
        var started: String
        var ended: String
        var recording: String?
        var passed: Int
        var failed: Int
        var skipped: Int
        var undecided: Int
        var expectations: [ExpectationLine]
        var remarks: [RemarkLine]
    }

    /// The report as one JSON object.
    var json: String {
        let document = Document(
            program: Tripshare.programAndVersion,
            host: host,
            started: Timestamp.text(begins.wall),
            ended: Timestamp.text(ends.wall),
            recording: recording,
            passed: count(.passed),
            failed: count(.failed),
            skipped: count(.skipped),
            undecided: count(.undecided),
            expectations: results.map { ExpectationLine($0, host: host, isLast: true, now: ends) },
            remarks: retained.map { RemarkLine($0, withScreen: true) }
        )
        return SanitizedJSON.line(document) + "\n"
    }

    // MARK: JUnit XML

    /// The report as JUnit XML: a suite of the session with a test case for each expectation.
    ///
    /// Written by hand, because `FoundationXML` would make libxml2 a dependency of the program for this one file.
    var xml: String {
        let figures = [
            ("tests", "\(results.count)"), ("failures", "\(count(.failed))"), ("errors", "\(count(.undecided))"),
            ("skipped", "\(count(.skipped))"), ("time", Self.seconds(duration)),
        ]
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        lines.append(Self.tag("testsuites", [("name", "tripshare")] + figures))
        lines.append(
            "  "
                + Self.tag(
                    "testsuite",
                    [("name", "tripshare \(host)")] + figures
                        + [("timestamp", Timestamp.text(begins.wall)), ("hostname", host)]
                )
        )
        let remarks = retained.map { RemarkLine($0) }
        let facts = [("program", Tripshare.programAndVersion), ("host", host)]
        lines += Self.properties(
            facts + (recording.map { [("recording", $0)] } ?? []) + remarks.map { ($0.kind, $0.sentence) },
            indent: "    "
        )
        for result in results { lines += testCase(ExpectationLine(result, host: host, isLast: true, now: ends)) }
        if !retained.isEmpty { lines += systemOut }
        return (lines + ["  </testsuite>", "</testsuites>", ""]).joined(separator: "\n")
    }

    /// The remarks with what was on the screen, as viewers show the output of a suite.
    private var systemOut: [String] {
        let lines = retained.map { RemarkLine($0, withScreen: true) }.flatMap {
            [$0.sentence] + ($0.screen ?? []) + [""]
        }
        return ["    <system-out>"] + lines.map(Self.escaped) + ["    </system-out>"]
    }

    private func testCase(_ line: ExpectationLine) -> [String] {
        let attributes = [
            ("name", line.name), ("classname", line.trip.map { "tripshare.\($0)" } ?? "tripshare"),
            ("time", Self.seconds(line.seconds ?? duration)),
        ]
        var lines = ["    " + Self.tag("testcase", attributes)]
        let facts: [(String, String?)] =
            [
                ("kind", line.kind), ("trip", line.trip), ("status", line.status), ("after", line.after),
                ("until", line.until), ("within", line.within.map(Self.seconds)),
                ("decided", line.seconds == nil ? nil : line.time),
                ("evidence", line.evidence), ("note", line.note),
            ] + (line.values ?? []).map { ("value", "\($0.check): \($0.value) at poll \($0.poll), \($0.time)") }
        lines += Self.properties(facts.compactMap { name, value in value.map { (name, $0) } }, indent: "      ")
        switch line.outcome {
        case "failed":
            lines.append(
                "      " + Self.tag("failure", [("message", line.evidence), ("type", line.kind)])
                    + "\(Self.escaped("\(line.name): \(line.evidence)"))\(Self.cause(of: line))</failure>"
            )
        case "undecided":
            lines.append(
                "      " + Self.tag("error", [("message", line.evidence), ("type", line.kind)])
                    + "\(Self.escaped("\(line.name): \(line.evidence)"))\(Self.cause(of: line))</error>"
            )
        case "skipped": lines.append("      " + Self.tag("skipped", [("message", line.evidence)]) + "</skipped>")
        default: break
        }
        // Viewers show the output of a passed test case, too. GitLab and Jenkins link files that are named in this form.
        let attachment = recording.map { "\n[[ATTACHMENT|\(Self.escaped($0))]]" } ?? ""
        lines.append("      <system-out>\(Self.escaped(line.evidence))\(attachment)</system-out>")
        return lines + ["    </testcase>"]
    }

    /// The failure of the last poll, or of the search for trips, with its suspects, a line each; empty without one.
    private static func cause(of line: ExpectationLine) -> String {
        guard let cause = line.cause else { return "" }
        let suspects = (cause.suspects ?? []).map { suspect in
            "Suspect: \(suspect.party), \(suspect.strength)" + (suspect.clue.map { ", by \($0)" } ?? "")
        }
        let what = cause.isOfSearch ? "The search for trips failed" : "The last poll failed"
        let lines = ["\(what): \(cause.code). \(cause.failure)"] + suspects + [cause.advice ?? ""]
        return lines.filter { !$0.isEmpty }.map { "\n\(escaped($0))" }.joined()
    }

    private static func properties(_ values: [(String, String)], indent: String) -> [String] {
        let lines = values.map { name, value in
            "\(indent)  " + tag("property", [("name", name), ("value", value)]) + "</property>"
        }
        return ["\(indent)<properties>"] + lines + ["\(indent)</properties>"]
    }

    private static func tag(_ name: String, _ attributes: [(String, String)]) -> String {
        "<\(name)" + attributes.map { " \($0)=\"\(escaped($1))\"" }.joined() + ">"
    }

    /// Returns untrusted text without tokens and control characters, which XML can't contain, and with escaped markup.
    private static func escaped(_ text: String) -> String {
        text.withoutTokens.sanitized(limit: 2000).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }

    private static func seconds(_ value: Double) -> String { String(format: "%.1f", value) }
}
