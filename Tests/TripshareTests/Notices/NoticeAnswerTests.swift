import Foundation
import Testing
import TransportLive
import TripTestSupport

@testable import tripshare

/// What follows from the answer to a post, over a real connection.
@Suite("Answers to posts of notices", .ends(within: .longTest))
struct NoticeAnswerTests {
    /// Posts once to a server; returns the result.
    private static func post(
        to behaviour: CannedServer.Behaviour,
        limit: Duration = .seconds(60)
    ) async throws -> DeliveryResult {
        try await CannedServer.run(behaviour) { server in
            try await withLiveHTTPTransport { transport in
                let delivery = NoticeSender.Delivery.live(transport, environment: [:])
                return await delivery.post(
                    Webhook(url: "http://127.0.0.1:\(server.port)/"),
                    [],
                    Array("{}".utf8),
                    limit
                )
            }
        }
    }

    private static func large(_ status: String, _ headers: String = "") -> CannedServer.Behaviour {
        let size = 1 << 20
        let head = "HTTP/1.1 \(status)\r\n\(headers)content-length: \(size)\r\nconnection: close\r\n\r\n"
        return .answer { _ in head + String(repeating: "x", count: size) }
    }

    @Test func `a body that is too large does not change what the status says`() async throws {
        #expect(try await Self.post(to: Self.large("200 OK")) == .delivered)
        #expect(try await Self.post(to: Self.large("404 Not Found")) == .refused("HTTP 404"))
        #expect(
            try await Self.post(to: Self.large("503 Service Unavailable", "retry-after: 7\r\n"))
                == .failed("HTTP 503", retryAfter: .seconds(7))
        )
    }

    @Test func `nor does a body that is cut off or endless`() async throws {
        let cutOff = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc"
        #expect(try await Self.post(to: .answer { _ in cutOff }) == .delivered)
        let endless = "HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n"
        #expect(try await Self.post(to: .sendAndStayOpen(endless), limit: .seconds(2)) == .delivered)
    }

    @Test(arguments: [
        CannedServer.Behaviour.hangUp, .answer { _ in "hello\r\n\r\n" },
        .answer { _ in "HTTP/1.1 200 OK\r\nx: " + String(repeating: "a", count: 1 << 20) + "\r\n\r\n" },
    ])
    func `without a status, it is posted again`(behaviour: CannedServer.Behaviour) async throws {
        let result = try await Self.post(to: behaviour)
        if case .failed(_, nil) = result { return }
        Issue.record("\(result)")
    }

    @Test func `a command that cannot be started is refused for the right reason`() async throws {
        try await Program.withFolder { folder in
            let (closed, text) = (folder.appending(path: "closed").path, folder.appending(path: "text").path)
            for file in [closed, text] { try Data("no program".utf8).write(to: URL(filePath: file)) }
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: closed)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: text)
            let reasons = [
                (closed, "Permission denied"), (text, "Exec format error"), (folder.path, "Is a directory"),
                (closed + "-not", "No such file or directory"), ("tripshare-not-there", "No such file or directory"),
            ]
            try await withLiveHTTPTransport { transport in
                let delivery = NoticeSender.Delivery.live(transport, environment: ["PATH": "/bin"])
                for (path, reason) in reasons {
                    #expect(await delivery.run([path], [], [:], .seconds(60)) == .refused(reason), "\(path)")
                }
            }
        }
    }

    @Test func `an address where no server listens is tried again`() async throws {
        let result = try await RefusedPort.run { port in
            try await withLiveHTTPTransport { transport in
                let delivery = NoticeSender.Delivery.live(transport, environment: [:])
                return await delivery.post(Webhook(url: "http://127.0.0.1:\(port)/"), [], [], .seconds(60))
            }
        }
        if case .failed(_, nil) = result { return }
        Issue.record("\(result)")
    }
}
