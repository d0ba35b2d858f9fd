import ArgumentParser
import Recording

/// A format of `tripshare export`.
enum ExportFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    case har
    case geojson
    case gpx
    case csv
    case csvPositions = "csv-positions"
    case fleetDebugger = "fleet-debugger"
    case markdown
    case asciicast
    case html

    /// The usual end of the name of a file.
    var fileExtension: String {
        switch self {
        case .har: "har"
        case .geojson: "geojson"
        case .gpx: "gpx"
        case .csv: "csv"
        case .csvPositions: "positions.csv"
        case .fleetDebugger: "fleet-debugger.json"
        case .markdown: "md"
        case .asciicast: "cast"
        case .html: "html"
        }
    }

    /// Returns the file of a session in this format.
    func file(of session: RecordedSession) throws(ExportFailure) -> [UInt8] {
        switch self {
        case .har: try session.export(with: HARExport(session))
        case .geojson: try session.export(with: GeoJSONExport())
        case .gpx: try session.export(with: GPXExport())
        case .csv: try session.export(with: PollTableExport())
        case .csvPositions: try session.export(with: PositionTableExport())
        case .fleetDebugger: try session.export(with: FleetDebuggerExport(session))
        case .markdown: try session.export(with: MarkdownExport(session: session))
        case .asciicast: try AsciicastExport.file(of: session)
        case .html: try HTMLExport.file(of: session)
        }
    }
}
