import EmbeddedAssets

/// The files of `Assets/Scenarios`, which are part of the program.
enum EmbeddedScenarios {
    /// The names of the files without their extension, in alphabetical order.
    static let names: [String] = (0..<embedded_asset_count()).compactMap { index in
        guard let asset = unsafe embedded_asset_at(index) else { return nil }
        let path = unsafe String(cString: asset.pointee.path)
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count).dropLast(suffix.count)) : nil
    }

    /// The text of a file; `nil` for an unknown name.
    static func yaml(of name: String) -> String? {
        guard let asset = unsafe embedded_asset_named(folder + name + suffix) else { return nil }
        let bytes = unsafe UnsafeBufferPointer(start: asset.pointee.bytes, count: asset.pointee.count)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    private static let folder = "Scenarios/"
    private static let suffix = ".yaml"
}
