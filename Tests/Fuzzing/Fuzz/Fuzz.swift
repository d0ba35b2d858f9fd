import CFuzzer
import FuzzReaders

/// Calls one reader with the inputs of libFuzzer: `Fuzz READER [LIBFUZZER ARGUMENT…]`.
///
/// Without arguments it lists the readers.
@main
enum Fuzz {
    /// The function of libFuzzer has no context.
    nonisolated(unsafe) private static var reader: Reader?

    static func main() {
        guard CommandLine.argc > 1, let name = CommandLine.arguments.dropFirst().first else {
            for reader in Reader.all { print(reader.name) }
            return
        }
        guard let reader = Reader.all.first(where: { $0.name == name }) else {
            fatalError("There is no reader \(name).")
        }
        unsafe Fuzz.reader = reader
        // The name of the reader is not an argument of libFuzzer.
        unsafe CommandLine.unsafeArgv[1] = CommandLine.unsafeArgv[0]
        var count = CommandLine.argc - 1
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv + 1
        _ = unsafe LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            let input = unsafe [UInt8](UnsafeBufferPointer(start: data, count: size))
            unsafe Fuzz.reader?.read(input)
            return 0
        }
    }
}
