import Foundation

/// The names of the layers in an archive's metadata (`vector_layers` of TileJSON).
enum LayerNames {
    private struct Metadata: Decodable {
        var layers: [Layer]?

        private enum CodingKeys: String, CodingKey {
            case layers = "vector_layers"
        }
    }

    private struct Layer: Decodable {
        var id: String
    }

    /// The maximum number of names.
    private static let most = 256
    /// The maximum number of characters of a name.
    private static let longest = 60

    /// Reads the names from JSON; empty without any.
    static func names(json: [UInt8]) -> [String] {
        // Without readable metadata, the tiles show which layers there are.
        let metadata = try? JSONDecoder().decode(Metadata.self, from: Data(json))
        return bounded(metadata?.layers?.map(\.id) ?? [])
    }

    /// Limits number and length of names.
    static func bounded(_ names: [String]) -> [String] { names.prefix(most).map { String($0.prefix(longest)) } }
}
