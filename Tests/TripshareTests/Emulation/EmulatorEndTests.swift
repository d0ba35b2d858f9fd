import Failures
import Foundation
import Synchronization
import Testing
import TripTestSupport

@Suite("The end of an emulator", .ends(within: .longTest))
struct EmulatorEndTests {
    @Test func `SIGTERM ends an emulator at once while a fault delays answers`() async throws {
        let end = Mutex(ContinuousClock.now)
        try await EmulatedEngine.run(["--token-latency", "60"]) { _, ready in
            let control = try #require((ready["controlURL"] as? String).flatMap { URLOrigin($0) })
            let port = try #require(control.port)
            let body = #"{"on":"engine","kind":"latency","seconds":60}"#
            let head = "POST /control/faults HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            let answer = try await RawConnection.exchange(
                [
                    Array(
                        (head + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
                            .utf8
                    )
                ],
                port: port
            )
            #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
            end.withLock { $0 = .now }
        }
        // The driver's last report alone would wait 15 s for its answer.
        #expect(end.withLock { $0.duration(to: .now) } < .seconds(8))
    }
}
