import Foundation

/// A loopback port that refuses every connection.
///
/// A socket is bound to it without listening, so that no other server on this machine can get it meanwhile. A port that
/// was merely closed is not enough: another process could bind it or could have inherited its listening socket.
package enum RefusedPort {
    /// No port was available.
    package struct Failure: Error {
        /// The system's error number.
        package var code: Int32
    }

    /// Reserves such a port on 127.0.0.1 while the body runs.
    package static func run<Result>(body: (_ port: Int) async throws -> Result) async throws -> Result {
        let descriptor = socket(AF_INET, SocketKind.stream, 0)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        return try await body(try reservePort(descriptor))
    }

    private static func reservePort(_ descriptor: Int32) throws -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try unsafe withUnsafeMutablePointer(to: &address) { pointer in
            try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                guard unsafe bind(descriptor, general, size) == 0 else { throw Failure(code: errno) }
                guard unsafe getsockname(descriptor, general, &size) == 0 else { throw Failure(code: errno) }
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
