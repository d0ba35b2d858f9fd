import Foundation
import Testing
import TripScreen
import TripTestSupport
import TripText

@testable import tripshare

/// All outputs about one failure name the same first party and give the same advice.
@Suite("Outputs about one failure", .ends(within: .longTest))
struct OutputAgreementTests {
    private static let keys = Result { try MisconfiguredSetup.Keys() }

    /// The compared entries of `Assets/Diagnosis`: a kind of failing source each.
    private static let names = [
        // The token endpoint.
        "no server listens at the token endpoint", "401 with a body", "403 with a body", "404 with a body",
        "422 with a field", "429 with Retry-After", "500 with a body", "a login page", "the token has another key",
        "expired when it arrives", "for another trip", "aud of another service",
        // The service.
        "no server listens at the service", "signed by another key", "the project has no billing",
        "a condition that is not met", "404", "429", "503", "an answer that is not JSON",
    ]

    private static func entries(_ names: [String]) throws -> [Misconfiguration] {
        let all = try Misconfiguration.all()
        return try names.map { name in try #require(all.first { $0.name == name }, "no entry ‘\(name)’") }
    }

    @Test(arguments: try entries(names))
    func `every output names the same party and gives the same advice`(entry: Misconfiguration) async throws {
        try await Self.compare(entry) { try await Program.runInProcess($0, environment: $1) }
    }

    @Test(arguments: try entries(["429 with Retry-After", "for another trip", "the project has no billing"]))
    func `the program names the same party and gives the same advice`(entry: Misconfiguration) async throws {
        try await Self.compare(entry) { try await Program.run($0, environment: $1) }
    }

    private static func withOutputs(
        of entry: Misconfiguration,
        _ start: FailureOutputs.Start,
        body: (FailureOutputs) throws -> Void
    ) async throws {
        try await MisconfiguredSetup.run(entry, keys: try keys.get()) { setup in
            try await Program.withFolder { folder in
                try body(try await FailureOutputs(setup, in: folder, start: start))
            }
        }
    }

    private static func compare(_ entry: Misconfiguration, _ start: FailureOutputs.Start) async throws {
        try await withOutputs(of: entry, start) { outputs in
            let (last, live) = (outputs.last, outputs.live)
            #expect(last.party == entry.party && live.party == entry.party)
            #expect(outputs.report.party == last.party && outputs.report.advice == last.advice)
            for line in outputs.tokens {
                // What a refusal of the service means, its answer to the poll shows.
                guard line["party"] != nil || line["error"] as? String != "rejected_by_service" else {
                    #expect(line["advice"] == nil && line["suspects"] == nil)
                    continue
                }
                let advice = line["advice"] as? String
                #expect(line["party"] as? String == entry.party)
                #expect(advice == last.advice || advice == live.advice, "\(line)")
            }
            for (output, text) in outputs.lastTexts {
                #expect(lines(of: text, about: last).contains(true), "\(output) does not agree with \(last): \(text)")
            }
            for (output, text, verdict) in [
                ("bug report", outputs.bugReport, live), ("export", outputs.markdown, last),
            ] {
                let agreeing = lines(of: text, about: verdict)
                #expect(!agreeing.isEmpty, "\(output) has no advice: \(text)")
                #expect(agreeing.allSatisfy { $0 }, "\(output) does not agree with \(verdict): \(text)")
            }
            check(outputs.card, live)
            check(outputs.views, live)
        }
    }

    /// The lines with advice: whether each names the party of the verdict first and ends with its advice.
    private static func lines(of text: String, about verdict: FailureOutputs.Verdict) -> [Bool] {
        let beginnings = DiagnosisTests.Command.beginnings
        return text.split(separator: "\n").compactMap { line in
            let words = line.trimmingCharacters(in: CharacterSet(charactersIn: " |"))
            let isAdvice = (beginnings + ["The cause is unknown."]).contains(where: words.contains)
            guard isAdvice else { return nil }
            let party = verdict.party.map(DiagnosisTests.Command.name)
            let opening = party.map { party in beginnings.map { $0 + party } } ?? ["The cause is unknown."]
            return opening.contains(where: words.contains) && words.hasSuffix(verdict.advice)
        }
    }

    private static func check(_ card: [FailureDetails.Row], _ verdict: FailureOutputs.Verdict) {
        #expect(card.first?.value == verdict.what + ".")
        #expect(card.first { $0.label == Localizer.english(.failureNext) }?.value == verdict.advice)
        let suspect = card.first { $0.label == Localizer.english(.failureSuspects) }?.value ?? ""
        let name = verdict.party.map(DiagnosisTests.Command.name) ?? "The cause is unknown"
        #expect(suspect.contains(name), "‘\(suspect)’ does not name ‘\(name)’")
    }

    /// Each view has the sentence; the map and the errors have the first suspect and the advice, too.
    private static func check(_ views: [ViewKind: String], _ verdict: FailureOutputs.Verdict) {
        let party = verdict.party.map(DiagnosisTests.Command.name)
        for (view, text) in views {
            func contains(_ words: String) -> Bool { text.contains(FailureOutputs.condensed([words])) }
            // An opened call in place of the errors shows its own answer, not what followed from it.
            let cause = verdict.what.firstRange(of: "; since then").map { String(verdict.what[..<$0.lowerBound]) }
            let isSaid = contains(verdict.what) || view == .network && cause.map(contains) ?? false
            #expect(isSaid, "\(view) does not say ‘\(verdict.what)’: \(text)")
            guard view == .trip || view == .network else { continue }
            #expect(contains(verdict.advice), "\(view) does not advise ‘\(verdict.advice)’: \(text)")
            let openings = party.map { name in DiagnosisTests.Command.beginnings.map { $0 + name } }
            #expect(
                (openings ?? ["The cause is unknown"]).contains(where: contains),
                "\(view) does not name \(party ?? "no party"): \(text)"
            )
        }
    }

    @Test func `each output shows the audience of a refused token and the expected one`() async throws {
        let entry = try #require(try Self.entries(["aud of another service"]).first)
        try await Self.withOutputs(of: entry) {
            try await Program.runInProcess($0, environment: $1)
        } body: { outputs in
            var texts = outputs.lastTexts
            for (name, verdict) in [("JSON", outputs.last), ("replay", outputs.live), ("report", outputs.report)] {
                texts[name] = "\(verdict.what) \(verdict.advice)"
            }
            (texts["bug report"], texts["export"]) = (outputs.bugReport, outputs.markdown)
            texts["card"] = outputs.card.map(\.value).joined(separator: "\n")
            for view in [ViewKind.trip, .network] { texts["view \(view)"] = outputs.views[view] }
            for (output, text) in texts {
                for audience in ["https://example.com/", "https://fleetengine.googleapis.com/"] {
                    #expect(text.contains(audience), "\(output) does not show \(audience): \(text)")
                }
            }
        }
    }
}
