import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

/// A service whose answers contain the token and control sequences in every string.
@Suite("A service that repeats the token", .ends(within: .longTest))
struct TokenEchoTests {
    /// Texts with parts of a signature in all forms and with control characters.
    ///
    /// No two are the same.
    private struct Echo: Sendable {
        let token: String
        let signature: [Character]

        init(seed: UInt64) throws {
            var random = SplitMix(state: seed)
            let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
            signature = (0..<342).map { _ in letters[Int(random.next() % 64)] }
            let parts = FakeToken(.trip(try TripID("t")), issuedAt: Date().addingTimeInterval(-10)).text.split(
                separator: "."
            )
            token = "\(parts[0]).\(parts[1]).\(String(signature))"
        }

        /// A part of the signature without other characters, because IDs allow none.
        func piece(_ number: Int) -> String {
            let start = number * 37 % (signature.count - 60)
            return String(signature[start..<(start + 16 + number % 40)])
        }

        /// A text for a JSON string.
        func text(_ number: Int) -> String {
            let piece = piece(number)
            let form =
                switch number % 5 {
                case 0: piece
                case 1: piece.uppercased()
                case 2: piece.utf8.map { "%" + String($0, radix: 16) }.joined()
                case 3: piece.map { "\($0)\\u200b" }.joined()
                default: "Bearer \(token)"
                }
            return "n\(number) \\u001b]0;owned\\u0007\\u009b31m\\u007f\\u202e \(form) \\n\\u2066end"
        }

        /// Whether a text contains 16 consecutive characters of the signature in any form.
        func isLeaked(in text: String) -> Bool {
            let known = Self.folded(String(signature))
            let pieces = Self.pieces(of: known, length: 16)
            let halves = Self.pieces(of: known, length: 8)
            return text.split(separator: "\n").contains { line in
                let folded = Self.folded(line.removingPercentEncoding ?? String(line))
                // Of 16 consecutive characters, eight begin at a multiple of eight: few lines need the whole search.
                let maybe = stride(from: 0, through: folded.count - 8, by: 8).contains {
                    halves.contains(folded[$0..<($0 + 8)])
                }
                return maybe && !pieces.isDisjoint(with: Self.pieces(of: folded, length: 16))
            }
        }

        /// All parts of this length.
        private static func pieces(of text: [UInt8], length: Int) -> Set<ArraySlice<UInt8>> {
            Set(stride(from: 0, through: text.count - length, by: 1).map { text[$0..<($0 + length)] })
        }

        /// The letters, digits, hyphens and underscores of ASCII, in lower case.
        private static func folded(_ text: String) -> [UInt8] {
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
            return text.lowercased().utf8.filter {
                digits.contains($0) || letters.contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
        }
    }

    /// The answers by name, with status line and body.
    private static let answers: [(name: String, status: String, body: @Sendable (Echo) -> String)] = [
        (
            "texts of a trip", "200 OK",
            { echo in
                let time = Date().formatted(.iso8601)
                return """
                    {"name":"providers/p/trips/t","tripStatus":"\(echo.text(1))","vehicleId":"\(echo.piece(2))",\
                    "tripType":"\(echo.text(3))","view":"\(echo.text(4))","\(echo.text(5))":{"\(echo.text(6))":"\(echo.text(7))"},\
                    "lastLocation":{"location":{"latitude":1,"longitude":1},"updateTime":"\(time)","serverTime":"\(time)",\
                    "locationSensor":"\(echo.text(8))","navStatus":"\(echo.text(9))","x":["\(echo.text(10))"]},\
                    "remainingWaypoints":[{"location":{"point":{"latitude":1,"longitude":1.01}},"tripId":"\(echo.piece(12))",\
                    "waypointType":"\(echo.text(13))"}]}
                    """
            }
        ),
        (
            "another trip", "200 OK",
            { echo in #"{"name":"providers/p/trips/\#(echo.piece(20))","tripStatus":"NEW"}"# }
        ),
        (
            "an error", "403 Forbidden",
            { echo in
                """
                {"error":{"code":403,"status":"\(echo.text(30))","message":"\(echo.text(31))","details":[{\
                "@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\(echo.text(32))","domain":"\(echo.text(33))",\
                "metadata":{"permission":"\(echo.text(34))","\(echo.text(35))":"\(echo.text(36))"}}]}}
                """
            }
        ),
        ("a refused token", "401 Unauthorized", { echo in #"{"error":{"code":401,"status":"\#(echo.text(40))"}}"# }),
        (
            "a page", "502 Bad Gateway",
            { echo in "<html><title>\(echo.piece(50))</title><body>\(echo.token)\u{9B}31m\u{1B}[2J</body></html>" }
        ),
        ("no JSON", "200 OK", { echo in "{\"\(echo.piece(60))\": \(echo.piece(61))" }),
        ("a wrong type", "200 OK", { echo in #"{"name":"providers/p/trips/t","waypoints":"\#(echo.text(70))"}"# }),
    ]

    private static func run(
        _ answer: (name: String, status: String, body: @Sendable (Echo) -> String),
        _ echo: Echo,
        body: (_ arguments: [String], _ environment: [String: String]) async throws -> Void
    ) async throws {
        let text = answer.body(echo)
        let type = text.hasPrefix("<") ? "text/html" : "application/json"
        let response =
            "HTTP/1.1 \(answer.status)\r\nContent-Type: \(type)\r\nContent-Length: \(text.utf8.count)\r\n"
            + "X-Echo: \(echo.token)\r\nConnection: close\r\n\r\n\(text)"
        // Doctor first sends a request without a token, which the service can't repeat.
        let denial = #"{"error":{"code":401,"status":"UNAUTHENTICATED"}}"#
        let refusal =
            "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: \(denial.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(denial)"
        try await CannedServer.run(
            .answer { $0.lowercased().contains("authorization: bearer ") ? response : refusal }
        ) { server in
            let url = "http://127.0.0.1:\(server.port)"
            try await body(
                ["t", "--provider-id", "p", "--fleet-engine-url", url, "--token-env", "THE_TOKEN"],
                ["THE_TOKEN": echo.token]
            )
        }
    }

    private static func check(_ text: String, _ echo: Echo, _ what: String) {
        #expect(!echo.isLeaked(in: text), "\(what) shows a piece of the signature: \(text)")
        #expect(!text.contains("eyJ"), "\(what) shows a token: \(text)")
        let forbidden = text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F: true
            default: false
            }
        }
        #expect(forbidden.isEmpty, "\(what) holds \(forbidden.map { String($0.value, radix: 16) }): \(text)")
    }

    @Test(arguments: answers.indices)
    func `watch and doctor print no part of the token`(_ index: Int) async throws {
        let answer = Self.answers[index]
        let echo = try Echo(seed: UInt64(index) + 1)
        try await Self.run(answer, echo) { arguments, environment in
            for (command, form) in [("watch", "json"), ("watch", "plain"), ("doctor", "json"), ("doctor", "plain")] {
                let flags = command == "watch" ? ["--once"] : []
                let run = try await Program.run(
                    [command, "--output", form] + flags + arguments,
                    environment: environment
                )
                let what = "\(command) --output \(form) of \(answer.name)"
                Self.check(run.output, echo, what)
                Self.check(run.errors, echo, what)
                #expect(!run.output.isEmpty || !run.errors.isEmpty, "\(what)")
                guard form == "json" else { continue }
                for line in run.lines {
                    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
                }
            }
        }
    }

    @Test(arguments: answers.indices)
    func `screens and saved pictures contain no part of the token`(_ index: Int) async throws {
        let answer = Self.answers[index]
        let echo = try Echo(seed: UInt64(index) + 100)
        try await Self.run(answer, echo) { arguments, environment in
            try await Program.withFolder { folder in
                var script = "pause 1.5\n"
                for (size, width) in [("80x24", 80), ("200x60", 200)] {
                    script += "size \(size)\n"
                    for view in 1...7 {
                        let file = "\(folder.path)/\(view)-\(width)"
                        script += "key \(view)\ndump \(file).txt\nsvg \(file).svg\n"
                    }
                    script += "key P\ndump \(folder.path)/P-\(width).txt\nkey P\n"
                }
                let file = folder.appendingPathComponent("script")
                try Data((script + "key m Enter B\npause 1\nkey q\n").utf8).write(to: file)
                let run = try await Program.run(
                    in: folder,
                    ["watch", "--script", file.path, "--record", "ride.ndjson"] + arguments,
                    environment: environment
                )
                Self.check(run.errors, echo, "standard error of \(answer.name)")
                var pictures = 0
                for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != "script" {
                    guard name.hasSuffix(".txt") || name.hasSuffix(".svg") else { continue }
                    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                    Self.check(text, echo, "\(name) of \(answer.name)")
                    pictures += 1
                }
                for archive in try Unpacked.archives(in: folder) {
                    for (name, text) in try await Unpacked.files(archive) {
                        Self.check(text, echo, "\(name) in the bug report of \(answer.name)")
                    }
                }
                let recording = folder.appendingPathComponent("ride.ndjson")
                if let text = try? String(contentsOf: recording, encoding: .utf8) {
                    Self.check(text, echo, "the recording of \(answer.name)")
                }
                #expect(pictures == 30 || run.status != 0, "\(pictures) pictures: \(run.errors)")
            }
        }
    }

    @Test func `an endless text causes no endless line`() async throws {
        let echo = try Echo(seed: 7)
        let long = String(repeating: "STATUS ", count: 500_000)
        let answer: (String, String, @Sendable (Echo) -> String) = (
            "a long status", "200 OK", { _ in #"{"name":"providers/p/trips/t","tripStatus":"\#(long)"}"# }
        )
        try await Self.run(answer, echo) { arguments, environment in
            for form in ["json", "plain"] {
                let run = try await Program.run(
                    ["watch", "--once", "--output", form] + arguments,
                    environment: environment
                )
                #expect(run.lines.allSatisfy { $0.utf8.count < 16_384 })
            }
        }
    }
}

private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
