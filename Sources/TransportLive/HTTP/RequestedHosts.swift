import Failures
import NIOCore
import Synchronization

/// The hosts to which requests were sent, and what is known about the encrypted connections to them.
final class RequestedHosts: Sendable {
    /// The maximum number of connections that are described; the oldest one is forgotten first.
    private static let mostConnections = 16

    private struct Value {
        var hosts: Set<String> = []
        var connections: [SecureConnection] = []
    }

    private let value = Mutex(Value())

    func insert(_ host: String) { value.withLock { _ = $0.hosts.insert(host) } }

    /// Checks the certificate of a new connection, and stores what it says.
    func check(_ channel: any Channel) throws {
        let hosts = value.withLock(\.hosts)
        guard let connection = try CertificateRules.check(channel, for: hosts) else { return }
        value.withLock { value in
            value.connections.removeAll { $0 == connection }
            value.connections.append(connection)
            if value.connections.count > Self.mostConnections { value.connections.removeFirst() }
        }
    }

    /// Returns what is known about the latest encrypted connection to a host; `nil` if there was none.
    func connection(to host: String) -> SecureConnection? {
        value.withLock { $0.connections.last { $0.isFor(host) } }
    }
}
