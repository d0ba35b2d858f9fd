import Foundation

/// The programs that the build puts next to the tests.
package enum BuiltProgram {
    /// The path of a program.
    package static func path(_ name: String) -> String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name).path
    }
}
