import EmbeddedAssets

/// The files of `Assets/Scenarios`, which are part of the program.
enum EmbeddedScenarios {
    /// The names of the scenarios of trips: the files in the folder itself without their extension, in alphabetical order.
    static let names = names(in: folder)
    /// The names of the scenarios of deliveries.
    static let deliveryNames = names(in: deliveryFolder)

    private static func names(in folder: String) -> [String] {
        (0..<embedded_asset_count()).compactMap { index in
            guard let asset = unsafe embedded_asset_at(index) else { return nil }
            let path = unsafe String(cString: asset.pointee.path)
            guard path.hasPrefix(folder) else { return nil }
            let name = path.dropFirst(folder.count).dropLast(suffix.count)
            return name.contains("/") ? nil : String(name)
        }
    }

    /// The text of a scenario; `nil` for an unknown name.
    static func yaml(of name: String) -> String? {
        if names.contains(name) { return text(folder + name + suffix) }
        return deliveryNames.contains(name) ? text(deliveryFolder + name + suffix) : nil
    }

    /// The text of a file in `Assets`; `nil` for a file that is not embedded.
    static func text(_ path: String) -> String? {
        guard let asset = unsafe embedded_asset_named(path) else { return nil }
        let bytes = unsafe UnsafeBufferPointer(start: asset.pointee.bytes, count: asset.pointee.count)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    private static let folder = "Scenarios/"
    private static let deliveryFolder = "Scenarios/Deliveries/"
    private static let suffix = ".yaml"
}
