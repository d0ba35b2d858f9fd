import EmbeddedAssets

/// The files of `Assets` that are part of the program.
enum EmbeddedText {
    /// Returns the text of a file; the path is one of the program's own.
    static func text(of path: String) -> String {
        guard let asset = unsafe embedded_asset_named(path) else { fatalError("\(path) is not embedded") }
        let bytes = unsafe UnsafeBufferPointer(start: asset.pointee.bytes, count: asset.pointee.count)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}
