import Foundation

/// The kinds of sockets as numbers.
package enum SocketKind {
    #if canImport(Darwin)
    /// A stream of bytes.
    package static let stream = SOCK_STREAM
    #else
    /// A stream of bytes.
    package static let stream = Int32(SOCK_STREAM.rawValue)
    #endif
}
