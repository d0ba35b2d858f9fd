import Failures
import Foundation
import Testing
import TripModel
import TripTestSupport

/// A sample of the generated failures, seen by the program itself: real connections, real output.
@Suite("Generated diagnoses of the program", .ends(within: .longTest))
struct BinarySampleTests {
    /// What the program says about one failed poll.
    private struct Line: Decodable {
        struct Suspect: Decodable { let party: String }

        let type: String
        let trip: String?
        let failure: String?
        let suspects: [Suspect]?
    }

    /// A generated answer that a plain connection to this machine can carry.
    private struct Sample {
        let truth: Truth
        let reply: Reply
    }

    private static func samples(_ count: Int) -> [Sample] {
        var samples: [Sample] = []
        var seed: UInt64 = 11
        while samples.count < count {
            seed += 1
            var maker = CaseMaker(seed: seed, words: .named(seed.isMultiple(of: 2)))
            let truth = Truth.allCases[maker.number(Truth.allCases.count)]
            let reply = maker.reply(truth)
            // There is no network and no proxy on this way, and a page in place of an encrypted answer looks different.
            let isCarried = reply.ending == nil || reply.ending == .cutOff
            guard isCarried, reply.proxy == nil, reply.isEncrypted, !truth.isOfService, truth.party != .network else {
                continue
            }
            samples.append(Sample(truth: truth, reply: reply))
        }
        return samples
    }

    /// Returns the answer as bytes of HTTP.
    private static func bytes(_ reply: Reply) -> [UInt8] {
        let isSized = reply.headers.contains { $0.name == "content-length" }
        let headers = reply.headers.filter { $0.name != "transfer-encoding" && $0.name != "connection" }
        let size = isSized ? [] : [(name: "content-length", value: String(reply.body.count))]
        let lines = (headers + size).map { "\($0.name): \($0.value)\r\n" }.joined()
        return Array("HTTP/1.1 \(reply.status) X\r\n\(lines)connection: close\r\n\r\n".utf8) + reply.body
    }

    /// Follows a trip for each answer once, and returns what the program says, by trip.
    private func outcomes(of samples: [Sample]) async throws -> [String: Line] {
        let answers = samples.map { Self.bytes($0.reply) }
        let answer: @Sendable ([UInt8]) -> (bytes: [UInt8], closes: Bool) = { request in
            let words = String(decoding: request.prefix(40), as: UTF8.self).split { $0 == "/" || $0 == " " }
            guard words.count > 2, let number = Int(words[2].dropFirst()), answers.indices.contains(number) else {
                return (Array("HTTP/1.1 404 X\r\ncontent-length: 0\r\n\r\n".utf8), true)
            }
            return (answers[number], true)
        }
        return try await CannedServer.run(.converseInBytes(answer)) { server in
            let folder = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let (output, errors) = (folder.appending(path: "out").path, folder.appending(path: "err").path)
            let trips = samples.indices.map { "t\($0)" }
            let program = try SpawnedProgram(
                [BuiltProgram.path("tripshare"), "watch"] + trips + [
                    "--once", "--output", "json", "--provider-id", "p",
                    "--fleet-engine-url", "http://127.0.0.1:\(server.port)",
                    "--token-url", "http://127.0.0.1:\(server.port)/token/{tripId}",
                ],
                environment: ["HOME": folder.path, "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"],
                files: .paths(input: "/dev/null", output: output, errors: errors)
            )
            let ending = try await program.end(within: .seconds(120))
            let text = try String(contentsOfFile: output, encoding: .utf8)
            let said = try String(contentsOfFile: errors, encoding: .utf8)
            let lines = text.split(separator: "\n").compactMap {
                try? JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
            let polls = lines.filter { $0.type == "poll" && $0.trip != nil }
            #expect(polls.count >= samples.count, "\(ending) \(said.prefix(500))")
            return Dictionary(polls.map { ($0.trip ?? "", $0) }) { $1 }
        }
    }

    @Test func `the program suspects the true party in most of 200 answers, and quotes all of them`() async throws {
        let samples = Self.samples(200)
        let outcomes = try await outcomes(of: samples)
        var (first, among) = (0, 0)
        for (number, sample) in samples.enumerated() {
            let line = try #require(outcomes["t\(number)"])
            let parties = line.suspects?.map(\.party) ?? []
            first += parties.first == sample.truth.party.rawValue ? 1 : 0
            among += parties.contains(sample.truth.party.rawValue) ? 1 : 0
            let words = line.failure ?? ""
            let evidence = sample.reply.evidence.prefix { $0 != "." }.prefix(40)
            #expect(evidence.isEmpty || words.contains(evidence), "\(sample.truth): \(words)")
        }
        #expect(first >= 170, "\(first) of 200 first, \(among) among")
        #expect(among >= 190, "\(first) of 200 first, \(among) among")
    }
}
