package import TripFeed

extension Scenario {
    /// Reads a scenario; `file` is the name used in errors.
    ///
    /// Throws ``YAMLFileError`` with the line and the expected value.
    package init(yaml: String, name: String, file: String) throws(YAMLFileError) {
        let document = try YAMLDocument(yaml, file: file, expected: "title, vehicles, trips")
        self = try document.read(ScenarioFile.self, keys: ScenarioFile.keys) { (entries) throws(YAMLProblem) in
            var builder = ScenarioBuilder(entries: entries)
            return try builder.scenario(name: name)
        }
    }
}
