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
@safe package final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    private let wiped: (@Sendable (_ rest: [UInt8]) -> Void)?

    /// Copies a secret to its own memory; `wiped` receives the content just before the memory is freed.
    package init(_ text: String, wiped: (@Sendable (_ rest: [UInt8]) -> Void)? = nil) {
        // Access the string's bytes in place: an array would be another copy that is never overwritten.
        var text = text
        unsafe memory = text.withUTF8 { bytes in
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            unsafe memory.copyMemory(from: UnsafeRawBufferPointer(bytes))
            return unsafe memory
        }
        self.wiped = wiped
    }

    deinit {
        // The compiler may remove plain stores to memory that is about to be freed, but not these calls.
        if let start = unsafe memory.baseAddress {
            #if canImport(Darwin)
            _ = unsafe memset_s(start, memory.count, 0, memory.count)
            #else
            unsafe explicit_bzero(start, memory.count)
            #endif
        }
        if let wiped { wiped(unsafe Array(memory)) }
        unsafe memory.deallocate()
    }

    /// The secret as a string; this copy cannot be overwritten.
    package var text: String { unsafe String(decoding: memory, as: UTF8.self) }

    /// Registers the token so that all output of this process redacts it.
    package func becomeKnown() { unsafe KnownSecrets.ofProcess.add(token: memory) }

    /// The number of bytes.
    package var count: Int { unsafe memory.count }
}

extension SecretBytes: Redacted {
    package var description: String { "<secret>" }
}
