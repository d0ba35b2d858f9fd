import Canvas
import Foundation
import Recording
import Runtime
import Testing
import TripFeed
import TripModel
import TripScreen
import TripText

@testable import tripshare

/// What the outputs say about the failure of one set-up.
struct FailureOutputs {
    /// What programs read about a failure.
    struct Verdict {
        var party: String?
        var advice: String
        var what: String

        /// Reads the members of a JSON object about a failure.
        init(_ members: [String: Any]) throws {
            party = members["party"] as? String
            advice = try #require(members["advice"] as? String, "\(members)")
            what = try #require(members["failure"] as? String)
        }
    }

    /// The last failed poll of `watch --once`, which promises no retry.
    let last: Verdict
    /// The last failed poll of a session that goes on: the replay of the recording.
    let live: Verdict
    /// The lines about failed fetches, of both.
    let tokens: [[String: Any]]
    /// The failure in the file of `--report`.
    let report: Verdict
    /// The texts of programs that end, by output.
    let lastTexts: [String: String]
    /// The errors in the bug report, and in the Markdown file, whose advice promises no retry.
    let bugReport: String
    let markdown: String
    /// The rows of the failure on the screen.
    let card: [FailureDetails.Row]
    /// The texts of the views that say why there is no data, without white space and frames.
    let views: [ViewKind: String]

    typealias Start = ([String], [String: String]) async throws -> Program.Run

    /// Runs the commands that meet the misconfiguration.
    init(_ setup: MisconfiguredSetup, in folder: URL, start: Start) async throws {
        let (recording, file) = (folder.appending(path: "ride.ndjson"), folder.appending(path: "report.json"))
        let expectations = folder.appending(path: "expect.yaml")
        try Data("expect:\n  - {name: Arrives, status: COMPLETE}\n".utf8).write(to: expectations)
        let environment = ["THE_TOKEN": setup.token]
        func run(_ arguments: [String]) async throws -> Program.Run { try await start(arguments, environment) }
        let source = setup.certificates + (try setup.source(in: folder)) + (setup.entry.flags ?? [])
        let watch = ["watch", "t"] + setup.service + source + ["--once", "--output"]
        let files = ["--record", recording.path, "--report", file.path, "--expect", expectations.path]

        let json = try await run(watch + ["json"] + files)
        let played = try await run(["replay", recording.path, "--output", "json", "--speed", "600"])
        last = try Verdict(try #require(Self.failures(json, "poll").last, "\(json)"))
        live = try Verdict(try #require(Self.failures(played, "poll").last, "\(played)"))
        tokens = Self.failures(json, "token") + Self.failures(played, "token")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let judged = (document?["expectations"] as? [[String: Any]])?.first
        report = try Verdict(try #require(judged?["cause"] as? [String: Any]))

        let plain = try await run(watch + ["plain"])
        var texts = ["plain": plain.output, "plain, standard error": plain.errors]
        texts["doctor"] = try await run(["doctor", "t"] + setup.service + source).output
        if setup.entry.exit.fetch != nil {
            let fetch = try await run(["token", "fetch", "--trip", "t", "--provider-id", "p"] + source)
            texts["token fetch"] = fetch.output + fetch.errors
        }
        lastTexts = texts
        let export = try await run(["export", recording.path, "--format", "markdown"])
        markdown = Self.section("### Errors", of: export.output)

        var reader = try RecordingReader(bytes: Array(try Data(contentsOf: recording)))
        let provider = try ProviderID("p")
        var player = RecordingPlayer(provider: provider)
        var header = reader.header
        header.display.language = Language.english.rawValue
        var screen = try #require(ScreenReplay(showing: header, provider: provider))
        while let event = reader.next() { screen.handle(event, player.item(of: event)) }
        let state = screen.state
        let trip = try #require(state.trip)
        let failed = try #require(trip.lastFailure)
        card = failed.poll.details(about: trip.id, state.settings)
            .rows(until: failed.end, now: state.now.wall)
        views = Self.views(of: state)
        let bugReport = BugReport(
            made: state.now.wall,
            state: state,
            trip: trip,
            header: reader.header,
            remarks: [],
            expectations: [],
            isReplay: true,
            files: []
        )
        self.bugReport = Self.section("## Errors", of: bugReport.markdown)
    }

    /// The objects of a type that describe a failure.
    private static func failures(_ run: Program.Run, _ type: String) -> [[String: Any]] {
        run.lines.compactMap {
            // Other lines are about other things.
            guard let line = try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any],
                line["type"] as? String == type, line["failure"] != nil
            else { return nil }
            return line
        }
    }

    /// Draws the views on a screen that is so large that nothing is cut.
    private static func views(of state: State) -> [ViewKind: String] {
        var state = state
        let width = 2_000
        _ = state.update(.resized(width: width, height: 200))
        var texts: [ViewKind: String] = [:]
        // Findings are shown instead of the reason why there are none.
        let hasFindings = state.trip?.findings.isEmpty == false
        for view in [ViewKind.trip, .network, .inspector] + (hasFindings ? [] : [.findings]) {
            _ = state.update(.key(.character(Character(String(view.number)))))
            let rows = TripScreen.view(state).rows
            texts[view] = condensed(view == .network ? panel(.errorsTitle, of: rows) : rows)
        }
        return texts
    }

    /// Returns the rows of a view from the left side of a panel on, in which the panel wraps its lines.
    private static func panel(_ title: Text, of rows: [String]) -> [String] {
        let corner = "╭─ \(Localizer.english(title)) "
        let columns = rows.compactMap { row in
            row.range(of: corner).map { row.distance(from: row.startIndex, to: $0.lowerBound) }
        }
        return rows.map { String($0.dropFirst(columns.first ?? 0)) }
    }

    /// Returns the text of rows without white space and frames, so that it is the same however its lines are wrapped.
    static func condensed(_ rows: [String]) -> String {
        rows.joined().filter { !$0.isWhitespace && $0 != "│" }
    }

    /// Returns the text of a section of a Markdown file, without backslashes before markup.
    private static func section(_ title: String, of text: String) -> String {
        let level = String(title.prefix { $0 == "#" })
        guard let start = text.range(of: "\n\(title)\n") else { return "" }
        let rest = text[start.upperBound...]
        let end = rest.range(of: "\n\(level) ")?.lowerBound ?? rest.endIndex
        return String(rest[..<end].replacing("\\", with: ""))
    }
}
