import Failures
import FleetEmulator
import FleetWire
import Testing
import TripTestSupport

@Suite("Host and Origin", .ends(within: .quickTest))
struct HostPolicyTests {
    private func status(_ policy: HostPolicy, _ hosts: [String], _ origins: [String] = []) -> Int? {
        policy.refusal(hosts: hosts, origins: origins)?.answer.httpStatus
    }

    @Test(arguments: [
        "localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8080", "127.8.9.10:1", "[::1]", "[::1]:8080",
    ])
    func `accepts a loopback name or address for any listener`(host: String) {
        for listened in ["127.0.0.1", "0.0.0.0", "192.0.2.7", "emulator.test"] {
            #expect(status(HostPolicy(listeningOn: listened), [host]) == nil, "\(listened)")
        }
    }

    @Test(arguments: [
        "attacker.example", "attacker.example:8080", "127.0.0.1.attacker.example", "localhost.attacker.example",
        "192.0.2.8", "2130706433", "0x7f.0.0.1", "0.0.0.0", "[::2]", "emulator",
    ])
    func `refuses any other name or address with 403`(host: String) {
        #expect(status(HostPolicy(listeningOn: "127.0.0.1"), [host]) == 403)
        #expect(status(HostPolicy(listeningOn: "192.0.2.7"), [host]) == 403)
    }

    @Test(arguments: [[], [""], ["a b"], ["user@localhost"], ["localhost/x"], ["localhost", "localhost"], ["[::1"]])
    func `refuses a request without exactly one valid Host header`(hosts: [String]) {
        #expect(status(HostPolicy(listeningOn: "127.0.0.1"), hosts) == 400)
    }

    @Test func `accepts every spelling of the listening address`() {
        #expect(status(HostPolicy(listeningOn: "192.0.2.7"), ["192.0.2.7:99"]) == nil)
        #expect(status(HostPolicy(listeningOn: "2001:db8::7"), ["[2001:DB8:0:0::7]:99"]) == nil)
        #expect(status(HostPolicy(listeningOn: "[2001:db8::7]"), ["[2001:db8::7]"]) == nil)
        #expect(status(HostPolicy(listeningOn: "emulator.test"), ["Emulator.Test:99"]) == nil)
    }

    @Test func `accepts any address but only allowed names when listening on all addresses`() {
        for listened in ["0.0.0.0", "::", "[::]"] {
            let policy = HostPolicy(listeningOn: listened, allowing: ["emulator", "Box.Example"])
            for host in ["192.0.2.8:99", "[2001:db8::8]", "emulator:99", "box.example"] {
                #expect(status(policy, [host]) == nil, "\(host)")
            }
            for host in ["attacker.example", "emulator.attacker.example", "2130706433"] {
                #expect(status(policy, [host]) == 403, "\(host)")
            }
        }
    }

    @Test func `accepts only loopback or the listener itself as Origin`() {
        let policy = HostPolicy(listeningOn: "0.0.0.0")
        for origin in ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:5173", "http://192.0.2.8:99"] {
            #expect(status(policy, ["192.0.2.8:99"], [origin]) == nil, "\(origin)")
        }
        for origin in [
            "null", "", "https://attacker.example", "http://192.0.2.8", "http://192.0.2.9:99", "file://",
            "http://localhost.attacker.example", "chrome-extension://abc", "http://localhost:3000/x",
        ] {
            #expect(status(policy, ["192.0.2.8:99"], [origin]) == 403, "\(origin)")
        }
        #expect(status(policy, ["localhost"], ["http://localhost", "https://attacker.example"]) == 403)
    }

    @Test func `truncates and sanitizes outside text in the error`() throws {
        let policy = HostPolicy(listeningOn: "127.0.0.1")
        let name = String(repeating: "a", count: 5000) + ".example"
        let long = try #require(policy.refusal(hosts: [name], origins: []))
        #expect((long.answer.message?.count ?? 0) < 400)
        let origin = try #require(policy.refusal(hosts: ["localhost"], origins: ["http://\u{1B}[2J\u{202E}\"x"]))
        let message = try #require(origin.answer.message)
        #expect(message.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) })
    }
}
