import Sanitizing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The bytes of a secret, held once and wiped when nobody needs them any more.
///
/// It prints as `<secret>`. The memory is written once, in `init`, and only read after that.
@safe package final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    private let wiped: (@Sendable (_ rest: [UInt8]) -> Void)?

    /// Copies a secret to memory of its own; `wiped` is shown what is left there just before the memory is given back.
    package init(_ text: String, wiped: (@Sendable (_ rest: [UInt8]) -> Void)? = nil) {
        // A string's bytes are got at in place: a list of them would be another copy, which nobody wipes.
        var text = text
        unsafe memory = text.withUTF8 { bytes in unsafe Self.copy(UnsafeRawBufferPointer(bytes)) }
        self.wiped = wiped
    }

    /// The same secret in memory of its own.
    package init(copying other: SecretBytes) {
        unsafe memory = Self.copy(UnsafeRawBufferPointer(other.memory))
        wiped = nil
    }

    private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        unsafe memory.copyMemory(from: bytes)
        return unsafe memory
    }

    deinit {
        // Plain stores to memory that is about to be freed may be optimised away; these calls may not.
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

    /// The secret as a string, copied; the copy can't be wiped.
    package var text: String { unsafe String(decoding: memory, as: UTF8.self) }

    /// Lets every output of this process leave out pieces of this token.
    package func becomeKnown() { unsafe KnownSecrets.ofProcess.add(token: memory) }

    /// How many bytes it has.
    package var count: Int { unsafe memory.count }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    package var description: String { "<secret>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
