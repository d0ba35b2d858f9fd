import Foundation

/// A way to crash or exit.
package enum Disaster: Character, Sendable {
    case fatalError = "f"
    case bounds = "b"
    case wildPointer = "n"
    case abort = "a"
    case exit = "e"
    case overflow = "o"
    case overflowOnMainThread = "m"
    case overflowInTask = "k"
    case trapInTask = "t"

    /// The case for a key.
    package init?(_ key: Character) {
        self.init(rawValue: key)
    }

    func happen() async {
        switch self {
        case .fatalError: Self.fail("the probe fails")
        case .bounds: print([1, 2, 3][Self.three])
        case .wildPointer: unsafe UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        case .abort: Foundation.abort()
        case .exit: Foundation.exit(3)
        case .overflow: print(Self.deeper(1))
        case .overflowOnMainThread: await MainActor.run { print(Self.deeper(1)) }
        case .overflowInTask: await Task.detached { print(Self.deeper(1)) }.value
        case .trapInTask: await Task.detached { Self.fail("a task fails") }.value
        }
    }

    /// Traps in a way that the compiler can't foresee.
    private static func fail(_ words: String) {
        if three >= 0 { Swift.fatalError(words) }
    }

    /// An index past the end, in a way that the compiler can't foresee.
    private static var three: Int { CommandLine.arguments.count + 2 }

    @inline(never)
    private static func deeper(_ depth: Int) -> Int {
        depth == .max ? 0 : deeper(depth + 1) + depth
    }
}
