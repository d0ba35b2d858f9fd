package import Foundation

/// The JSON Schema of recordings, and what `jsonschema` for Python says about lines.
package enum RecordingSchema {
    /// What is known about the lines of some files.
    package struct Result: Decodable {
        /// The number of lines of each type.
        package var lines: [String: Int]
        /// What the schema refuses.
        package var invalid: [String]
        /// The changes of valid lines that the schema accepts though it should not.
        package var accepted: [String]
        /// The members in the schema that no line has.
        package var unseen: [String]
    }

    /// The path from the root of the checkout.
    package static let path = "Assets/Schemas/recording-3.0.schema.json"

    /// The schema as JSON.
    package static func json() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(contentsOf: Checkout.folder.appending(path: path)))
    }

    /// Checks the lines of files, also packed ones.
    package static func check(_ files: [URL]) async throws -> Result {
        let output = try await PythonProgram.run(
            "Tests/RecordingTests/Python/recordings.py",
            [path] + files.map(\.path)
        )
        return try JSONDecoder().decode(Result.self, from: output)
    }
}
