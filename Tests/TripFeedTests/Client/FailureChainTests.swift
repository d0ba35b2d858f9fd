import Failures
import FleetTokens
import Foundation
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// The causes of failures that the polls of a trip report.
@Suite("Failure chains", .ends(within: .quickTest))
struct FailureChainTests {
    /// The failures of a trip with these consecutive answers.
    private func failures(_ answers: [String], seconds: Int) async throws -> [Failure?] {
        let ids = try trips(1)
        let scene = try FeedScene(trips: ids) { trip, number throws(Failure) in
            switch answers[min(number, answers.count) - 1] {
            case "ok": return FeedScene.response(trip, "ENROUTE_TO_PICKUP")
            case "lost": throw .connectionLost
            case let status:
                let body = #"{"error":{"code":\#(status),"status":"PERMISSION_DENIED","message":"not enabled"}}"#
                return HTTPTransportResponse(status: Int(status) ?? 0, body: [UInt8](body.utf8))
            }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(seconds)
            group.cancelAll()
        }
        return scene.now.events.compactMap { event in
            if case .polled(let report, _, _) = event { .some(report.failure) } else { nil }
        }
    }

    @Test func `a missing token has the refusal of the previous token as its cause`() async throws {
        let failures = try await failures(["ok", "403"], seconds: 7)
        let refusal = try #require(failures.first { $0?.httpStatus == 403 } ?? nil)
        #expect(refusal.history.refusal == nil && refusal.origin == refusal)
        let missing = failures.compactMap(\.self).filter { $0.httpStatus == nil }
        #expect(!missing.isEmpty)
        for failure in missing {
            #expect(failure.history.refusal == refusal)
            #expect(failure.origin.detail == "not enabled")
            #expect(failure.nameInJSON.hasPrefix("TOKEN_"))
        }
    }

    @Test func `failures in a row are counted from the first, until an answer`() {
        var chain = FailureChain()
        let failure = Failure.connectionLost
        let start = Date(timeIntervalSince1970: 1000)
        for number in 1...3 {
            let linked = chain.linked(failure, at: start + Double(number) * 5)
            #expect(linked.history.streak == History.Streak(count: number, since: start + 5))
        }
        chain.answered(at: start + 50, token: 3)
        let history = chain.linked(failure, at: start + 60).history
        #expect(history.streak == History.Streak(count: 1, since: start + 60))
        #expect(history.lastAnswer == History.Answer(at: start + 50, token: 3) && history.hasAnswer)
    }

    @Test func `failures of one kind that take turns with single answers are counted`() throws {
        func alternations(_ outcomes: [Failure?]) throws -> [Int] {
            var chain = FailureChain()
            return outcomes.enumerated().compactMap { number, outcome in
                let time = Date(timeIntervalSince1970: Double(number) * 5)
                guard let outcome else {
                    chain.answered(at: time, token: 1)
                    return nil
                }
                return chain.linked(outcome, at: time).history.alternations
            }
        }
        let (lost, late) = (Failure.connectionLost, Failure.cancelled)
        #expect(try alternations([lost, nil, lost, nil, lost, nil, lost]) == [0, 1, 2, 3])
        #expect(try alternations([nil, lost, nil, nil, lost, nil, lost]) == [0, 0, 1])
        #expect(try alternations([lost, nil, lost, lost, nil, lost]) == [0, 1, 0, 1])
        #expect(try alternations([lost, nil, late, nil, lost, nil, late]) == [0, 0, 0, 0])
    }

    @Test func `every second answer that is refused points to the service, not to the token`() async throws {
        let answers = ["ok", "404", "ok", "404", "ok", "404", "ok", "404"]
        let failures = try await failures(answers, seconds: 45).compactMap(\.self)
        let last = try #require(failures.last { $0.history.alternations >= 2 })
        let suspects = Diagnosis(last).suspects
        #expect(suspects == [Diagnosis.Suspect(.service, .likely, .alternates)])
    }

    @Test func `a refusal that is the cause of a missing token retains its own history`() async throws {
        let failures = try await failures(["ok", "403"], seconds: 7).compactMap(\.self)
        let missing = try #require(failures.first { $0.history.refusal != nil })
        #expect(missing.history.refusal?.history.hasAnswer == true)
        #expect(missing.history.refusal?.history.streak?.count == 1)
    }

    @Test func `a lost connection has no cause`() async throws {
        let failures = try await failures(["ok", "lost"], seconds: 12).compactMap(\.self)
        #expect(!failures.isEmpty)
        #expect(failures.allSatisfy { $0 == .connectionLost && $0.history.refusal == nil })
    }
}
