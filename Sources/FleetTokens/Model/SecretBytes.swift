import Foundation
import Runtime

/// The bytes of a secret; stored once and overwritten when the last reference is released.
///
/// It prints as `<secret>`. The memory is written in `init` only.
@safe package struct SecretBytes: @unchecked Sendable {
    private struct Header {
        let count: Int
        /// Receives the content of the memory just before it is freed.
        let observer: (@Sendable (_ rest: [UInt8]) -> Void)?
    }

    /// One object with the bytes behind its header.
    private final class Storage: ManagedBuffer<Header, UInt8> {
        deinit {
            unsafe withUnsafeMutablePointers { header, bytes in
                let count = unsafe header.pointee.count
                // The compiler may remove plain stores to memory that is about to be freed, but not these calls.
                #if canImport(Darwin)
                _ = unsafe memset_s(bytes, count, 0, count)
                #else
                unsafe explicit_bzero(bytes, count)
                #endif
                let rest = unsafe UnsafeBufferPointer(start: bytes, count: count)
                unsafe header.pointee.observer?(Array(rest))
            }
        }
    }

    private let storage: ManagedBuffer<Header, UInt8>

    /// Copies a secret to its own memory; `wiped` receives the content just before the memory is freed.
    package init(_ text: String, wiped: (@Sendable (_ rest: [UInt8]) -> Void)? = nil) {
        // Access the string's bytes in place: an array would be another copy that is never overwritten.
        var text = text
        storage = text.withUTF8 { text in
            let header = Header(count: text.count, observer: wiped)
            let storage = Storage.create(minimumCapacity: text.count) { _ in header }
            unsafe storage.withUnsafeMutablePointerToElements { bytes in
                unsafe UnsafeMutableRawBufferPointer(start: bytes, count: text.count).copyBytes(from: text)
            }
            return storage
        }
    }

    /// The number of bytes.
    package var count: Int { storage.header.count }

    /// The secret as a string; this copy cannot be overwritten.
    package var text: String { unsafe withBytes { unsafe String(decoding: $0, as: UTF8.self) } }

    /// Registers the token so that all output of this process redacts it.
    package func becomeKnown() { unsafe withBytes { unsafe KnownSecrets.ofProcess.add(token: $0) } }

    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        unsafe storage.withUnsafeMutablePointers { header, bytes in
            unsafe body(UnsafeBufferPointer(start: bytes, count: header.pointee.count))
        }
    }
}

extension SecretBytes: Redacted {
    package var description: String { "<secret>" }
}
