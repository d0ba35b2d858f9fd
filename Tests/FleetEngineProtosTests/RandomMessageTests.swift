import FleetEngineProtos
import FleetWire
import Foundation
import SwiftProtobuf
import Testing
import TripTestSupport

/// Random messages of Google's published Python package: encoded there, decoded and encoded here, decoded there.
@Suite("Random messages", .ends(within: .adjustableTest))
struct RandomMessageTests {
    private static let program = "Tests/FleetEngineProtosTests/Python/random_messages.py"
    /// Messages of one run of the Python program; more would need much memory.
    private static let batch = 2000

    /// The number of messages; `RANDOM_MESSAGES` sets another one.
    private static let count = ProcessInfo.processInfo.environment["RANDOM_MESSAGES"].flatMap { Int($0) } ?? batch

    private struct Sample: Decodable {
        var message: String
        var binary: Data
        var json: String
    }

    private struct Answer: Encodable {
        var binary: Data
        var json: String
        /// What our model of the message looks like in JSON, for messages that have one.
        var wire: String?
    }

    @Test(.enabled(if: PythonProgram.isThere, PythonProgram.why))
    func `random messages are the same after our code has read and written them`() async throws {
        let types = Dictionary(uniqueKeysWithValues: PublishedPackageTests.messages.map { ($0.protoMessageName, $0) })
        let folder = FileManager.default.temporaryDirectory.appending(path: "tripshare-random-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The folder is in the folder for temporary files.
        defer { try? FileManager.default.removeItem(at: folder) }
        var seed = 1
        for first in stride(from: 0, to: Self.count, by: Self.batch) {
            let size = min(Self.batch, Self.count - first)
            let made = try await PythonProgram.run(Self.program, ["make", "\(size)", "\(seed)"])
            var answers = Data()
            for line in made.split(separator: UInt8(ascii: "\n")) {
                let sample = try JSONDecoder().decode(Sample.self, from: line)
                let type = try #require(types[sample.message], "\(sample.message)")
                answers += try JSONEncoder().encode(try Self.answer(sample, type)) + [UInt8(ascii: "\n")]
            }
            let file = folder.appending(path: "\(seed).jsonl")
            try answers.write(to: file)
            let checked = try await PythonProgram.run(Self.program, ["check", "\(size)", "\(seed)", file.path])
            #expect(String(decoding: checked, as: UTF8.self) == "\(size)\n")
            try FileManager.default.removeItem(at: file)
            seed += 1
        }
    }

    private static func answer(_ sample: Sample, _ type: any Message.Type) throws -> Answer {
        let message = try type.init(serializedBytes: sample.binary)
        let fromJSON = try type.init(jsonString: sample.json)
        // Bytes are compared, because NaN is not equal to itself.
        let bytes: Data = try message.serializedBytes()
        #expect(try fromJSON.serializedBytes() as Data == bytes, "\(sample.json)")
        return Answer(binary: bytes, json: try message.jsonString(), wire: try wire(message))
    }

    /// Returns what the model of a message is written as; writing and reading it again must not change it.
    private static func wire(_ message: any Message) throws -> String? {
        let body = try message.jsonUTF8Bytes() as [UInt8]
        let first: [UInt8]
        let second: [UInt8]
        switch message {
        case is Maps_Fleetengine_V1_Trip:
            first = TripCoding.encode(try TripCoding.decode(body))
            second = TripCoding.encode(try TripCoding.decode(first))
        case is Maps_Fleetengine_Delivery_V1_TaskTrackingInfo:
            first = TaskTrackingCoding.encode(try TaskTrackingCoding.decode(body))
            second = TaskTrackingCoding.encode(try TaskTrackingCoding.decode(first))
        default: return nil
        }
        let text = String(decoding: first, as: UTF8.self)
        #expect(first == second, "\(text)\n\(String(decoding: second, as: UTF8.self))")
        return text
    }
}
