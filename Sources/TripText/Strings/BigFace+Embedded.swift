package import Canvas

extension BigFace {
    /// The faces of `Assets/Faces/bold.txt` with the characters of `wide.txt`, the largest first.
    package static let embedded: [BigFace] = {
        // The files are embedded in the program and read by tests.
        guard var faces = BigFace.faces(in: EmbeddedText.text(of: "Faces/bold.txt")) else {
            fatalError("Faces/bold.txt is malformed")
        }
        let wide = EmbeddedText.text(of: "Faces/wide.txt")
        for index in faces.indices { faces[index].addWide(wide) }
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
