import Foundation

/// The programs that are built beside the tests.
package enum BuiltProgram {
    /// The path of one of them.
    package static func path(_ name: String) -> String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name).path
    }
}
