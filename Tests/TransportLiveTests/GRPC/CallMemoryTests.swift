import Failures
import HeapMemory
import Testing
import TripFeed
import TripTestSupport

/// The memory of many calls, in a process without other tests.
@Suite("Memory of gRPC calls", .ends(within: .longTest))
struct CallMemoryTests {
    private static let calls = 1000

    @Test(.enabled(if: HeapMemory.allocated() != nil))
    func `a thousand gRPC calls leave no decompressors behind`() async throws {
        try await SeparateProcess.run {
            let grown = try await ScriptedService.run(isPlaintext: true) { transport in
                // The first calls fill caches and tables.
                try await Self.perform(300, transport)
                let before = try #require(HeapMemory.allocated())
                try await Self.perform(Self.calls, transport)
                return try #require(HeapMemory.allocated()) - before
            }
            // The timer of a call's deadline, 2 kB, remains until then although it is cancelled. A decompressor of zlib has 7 kB.
            #expect(grown < Self.calls * 4000, "\(grown) bytes in \(Self.calls) calls")
        }
    }

    private static func perform(_ count: Int, _ transport: FleetTransport) async throws {
        var encodings: Set<String> = []
        for _ in 0..<count {
            let answer = try await transport.getTrip().get()
            encodings.insert(answer.response.header("grpc-encoding") ?? "none")
        }
        // The library names both to the service, in any order.
        #expect(encodings.isSubset(of: ["deflate", "gzip"]))
    }
}
