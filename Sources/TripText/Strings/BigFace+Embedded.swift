package import Canvas
import EmbeddedAssets

extension BigFace {
    /// The faces of `Assets/Faces/bold.txt`, the largest first.
    package static let embedded: [BigFace] = {
        let path = "Faces/bold.txt"
        guard let asset = unsafe embedded_asset_named(path) else { fatalError("\(path) is not embedded") }
        let bytes = unsafe UnsafeBufferPointer(start: asset.pointee.bytes, count: asset.pointee.count)
        // The file is embedded in the program and read by tests.
        guard let faces = BigFace.faces(in: unsafe String(decoding: bytes, as: UTF8.self)) else {
            fatalError("\(path) is malformed")
        }
        return faces.sorted { $0.size > $1.size }
    }()

    /// Returns the largest face in which texts fit beside each other, with `gap` columns between them.
    ///
    /// `nil` if none does or a character has no large form. The available columns and rows are given.
    package static func largest(for texts: [String], gap: Int = 4, width: Int, height: Int) -> BigFace? {
        embedded.first { face in
            guard (texts.map(face.rowsAbove).max() ?? 0) + face.rowsBelow <= height else { return false }
            var columns = gap * max(0, texts.count - 1)
            for text in texts {
                guard let width = face.width(of: text) else { return false }
                columns += width
            }
            return columns <= width
        }
    }
}
