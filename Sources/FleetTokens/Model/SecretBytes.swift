import Sanitizing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The bytes of a secret; stored once and overwritten when the last reference is released.
///
/// It prints as `<secret>`. The memory is written in `init` only.
@safe package struct SecretBytes: @unchecked Sendable {
    /// Receives the content of the memory just before it is freed.
    private final class Observer: Sendable {
        let receive: @Sendable (_ rest: [UInt8]) -> Void

        init(_ receive: @escaping @Sendable (_ rest: [UInt8]) -> Void) { self.receive = receive }
    }

    private struct Header {
        let observer: Observer?
        let count: UInt32
    }

    /// One object with the bytes behind its header.
    private final class Storage: ManagedBuffer<Header, UInt8> {
        deinit {
            unsafe withUnsafeMutablePointers { header, bytes in
                let count = Int(unsafe header.pointee.count)
                // The compiler may remove plain stores to memory that is about to be freed, but not these calls.
                #if canImport(Darwin)
                _ = unsafe memset_s(bytes, count, 0, count)
                #else
                unsafe explicit_bzero(bytes, count)
                #endif
                let rest = unsafe UnsafeBufferPointer(start: bytes, count: count)
                if let observer = unsafe header.pointee.observer { observer.receive(unsafe Array(rest)) }
            }
        }
    }

    private let storage: ManagedBuffer<Header, UInt8>

    /// Copies a secret to its own memory; `wiped` receives the content just before the memory is freed.
    package init(_ text: String, wiped: (@Sendable (_ rest: [UInt8]) -> Void)? = nil) {
        // Access the string's bytes in place: an array would be another copy that is never overwritten.
        var text = text
        storage = text.withUTF8 { text in
            let storage = Storage.create(minimumCapacity: text.count) { _ in
                Header(observer: wiped.map(Observer.init), count: UInt32(text.count))
            }
            unsafe storage.withUnsafeMutablePointerToElements { bytes in
                unsafe UnsafeMutableRawBufferPointer(start: bytes, count: text.count).copyBytes(from: text)
            }
            return storage
        }
    }

    /// The number of bytes.
    package var count: Int { Int(storage.header.count) }

    /// The secret as a string; this copy cannot be overwritten.
    package var text: String { unsafe withBytes { unsafe String(decoding: $0, as: UTF8.self) } }

    /// Registers the token so that all output of this process redacts it.
    package func becomeKnown() { unsafe withBytes { unsafe KnownSecrets.ofProcess.add(token: $0) } }

    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        unsafe storage.withUnsafeMutablePointers { header, bytes in
            unsafe body(UnsafeBufferPointer(start: bytes, count: Int(header.pointee.count)))
        }
    }
}

extension SecretBytes: Redacted {
    package var description: String { "<secret>" }
}
