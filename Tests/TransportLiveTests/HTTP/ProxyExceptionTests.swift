import Failures
import Runtime
import Testing
import TransportLive
import TripModel
import TripTestSupport

/// `NO_PROXY` as curl 7.88 reads it; the cases of the table were compared with it.
@Suite("Exceptions of proxies", .ends(within: .quickTest))
struct ProxyExceptionTests {
    private static func isProxied(_ host: String, _ exceptions: String) throws -> Bool {
        let origin = try #require(URLOrigin("http://\(host):1/"))
        let environment = ["no_proxy": exceptions]
        let settings = ProxySettings(
            environment: environment,
            option: "http://proxy.example:3128",
            allowsPlainHTTP: true
        )
        return try settings.proxy(for: origin) != nil
    }

    @Test(arguments: [
        ("*", "127.0.0.1", false), ("a,*", "127.0.0.1", true), (" *", "127.0.0.1", true),
        ("127.0.0.0/8", "127.0.0.1", false), ("127.0.0.1/32", "127.0.0.1", false), ("0.0.0.0/0", "127.0.0.1", true),
        ("127.0.0.0/33", "127.0.0.1", true), ("127.0.0.0/x", "127.0.0.1", true), ("0.1", "127.0.0.1", true),
        ("127.0.0.1 , x", "127.0.0.1", false), ("localhost", "127.0.0.1", true), ("127.0.0.1", "localhost", true),
        ("localhost", "localhost", false), (".localhost", "localhost", false), ("..localhost", "localhost", true),
        ("localhost.", "localhost", false), ("localhost", "localhost.", false), ("LOCALHOST", "localhost", false),
        ("localhost:1", "localhost", true), ("a localhost", "localhost", false), ("a\tlocalhost", "localhost", false),
        ("::1", "[::1]", false), ("[::1]", "[::1]", true), ("::/8", "[::1]", false), ("::1/128", "[::1]", false),
        ("::1/129", "[::1]", true), ("::ffff:0:0/96", "127.0.0.1", true), ("", "localhost", true),
        (".", "localhost", true), (",,", "localhost", true),
    ])
    func `a host is an exception as for curl`(exceptions: String, host: String, isProxied: Bool) throws {
        #expect(try Self.isProxied(host, exceptions) == isProxied)
    }

    @Test func `a name is for itself and its subdomains, whatever stands around it`() throws {
        var random = SeededGenerator(seed: 20)
        func label() -> String {
            String(
                (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in "abcxyz059".randomElement(using: &random)
                }
            )
        }
        for _ in 0..<500 {
            let (name, other, sub) = ("\(label()).\(label())z", "\(label()).q.example", label())
            let entry = ["", "."].randomElement(using: &random)! + name + ["", "."].randomElement(using: &random)!
            let list = [other, entry].shuffled(using: &random)
                .joined(separator: [",", " ", ", ", "\t"].randomElement(using: &random)!)
            #expect(try !Self.isProxied(name.uppercased(), list), "\(name) in \(list)")
            #expect(try !Self.isProxied("\(sub).\(name)", list), "\(sub).\(name) in \(list)")
            #expect(try Self.isProxied("\(sub)\(name)", list), "\(sub)\(name) in \(list)")
            #expect(try Self.isProxied("\(name).\(sub)q", list), "\(name).\(sub)q in \(list)")
        }
    }

    @Test func `an address is in a network if its first bits are equal`() throws {
        var random = SeededGenerator(seed: 21)
        func text(_ address: UInt32) -> String {
            [24, 16, 8, 0].map { String(address >> $0 & 0xFF) }.joined(separator: ".")
        }
        for _ in 0..<1000 {
            let (network, bits) = (
                UInt32.random(in: 0 ... .max, using: &random), Int.random(in: 1...32, using: &random)
            )
            // Often near: only one bit differs.
            let address = network ^ (Bool.random(using: &random) ? 1 << UInt32.random(in: 0...31, using: &random) : 0)
            let isInside = (address ^ network) >> UInt32(32 - bits) == 0
            let list = "x.example, \(text(network))/\(bits)"
            #expect(try Self.isProxied(text(address), list) != isInside, "\(text(address)) in \(list)")
        }
    }
}
