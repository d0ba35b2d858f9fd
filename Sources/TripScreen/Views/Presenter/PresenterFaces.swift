import Canvas
import Runtime
import TripText

/// The faces of the words and of the countdown of the presenter view, and how both are arranged.
struct PresenterFaces {
    /// How words and countdown are arranged.
    enum Arrangement {
        /// Beside each other.
        case beside
        /// The words across the screen; below them the countdown, beside the sentences.
        case stacked
        /// The words, the countdown and the sentences below each other.
        case below
    }

    private(set) var arrangement: Arrangement
    /// The face of the words; `nil` if they are drawn as plain text.
    private(set) var words: BigFace?
    /// The face of the countdown; `nil` without one, and if it is part of the sentences.
    private(set) var countdown: BigFace?

    /// Chooses the faces for the words and for the countdown, which may be empty.
    ///
    /// `height` is the rows for each of both where they are not stacked, `room` those for both together where they are.
    init(_ text: String, _ watch: String, hasMap: Bool, height: Int, room: Int, in screen: Rect, glyphs: GlyphSet) {
        let width = screen.width - 4
        // The size stays the same when a digit is dropped.
        let template = watch.isEmpty ? "" : String(repeating: "0", count: max(0, 5 - watch.count)) + watch
        func face(_ texts: [String], width: Int) -> BigFace? {
            let texts = texts.filter { !$0.isEmpty }
            guard glyphs.level > .ascii, !texts.isEmpty else { return nil }
            // The smallest Korean and Chinese letters need a row more than a fifth of 40 rows.
            return BigFace.largest(for: texts, width: width, height: height + (texts.joined().hasWideLetters ? 1 : 0))
        }
        func small(width: Int) -> BigFace? {
            guard glyphs.level == .braille, text.hasWideLetters, let face = BigFace.fine,
                face.width(of: text).map({ $0 <= width }) ?? false
            else { return nil }
            return face
        }
        arrangement = hasMap ? .beside : .below
        guard hasMap else {
            (words, countdown) = (face([text], width: width) ?? small(width: width), face([template], width: width))
            return
        }
        if screen.height < Self.tall, stack(text, template, room, in: screen, glyphs) { return }
        if let both = face([text, template], width: width) {
            (words, countdown) = (both, watch.isEmpty ? nil : both)
        } else if text.hasWideLetters, let wide = face([text], width: width - 40) {
            // These letters are large: the countdown gets what they leave.
            (words, countdown) = (wide, face([template], width: width - (wide.width(of: text) ?? 0) - 4))
        } else if stack(text, template, room, in: screen, glyphs) {
            return
        } else if let fine = small(width: width - 30) {
            (words, countdown) = (fine, face([template], width: width - (fine.width(of: text) ?? 0) - 4))
        } else {
            // A background is three columns wider on each side than its text.
            (words, countdown) = (nil, face([template], width: width - TextWidth.of(text) - 10))
        }
    }

    /// A screen of fewer rows always has the words above the countdown: both would be small beside each other.
    private static let tall = 36
    /// The columns for the sentences beside a countdown, and the fewest ones that a large countdown may leave.
    private static let sentences = (usual: 36, least: 24)

    /// Arranges the words above the countdown; returns whether the words fit.
    private mutating func stack(
        _ text: String,
        _ template: String,
        _ room: Int,
        in screen: Rect,
        _ glyphs: GlyphSet
    ) -> Bool {
        guard glyphs.level > .ascii else { return false }
        let width = screen.width - 4
        let rows = screen.height / 5 + (screen.height < Self.tall ? 1 : 0)
        func clock(_ columns: Int) -> BigFace? {
            template.isEmpty
                ? nil : BigFace.largest(for: [template], width: width - columns, height: rows, isTight: true)
        }
        let digits = clock(Self.sentences.usual)
        let large = digits.map { $0.rowsAbove("0") < rows } ?? true ? clock(Self.sentences.least) ?? digits : digits
        let height = min(room - rows, screen.height / 3)
        // Long words may use the margins.
        let face =
            BigFace.largest(for: [text], width: screen.width, height: height, isTight: true)
            ?? (height >= 4 && glyphs.level == .braille && text.hasWideLetters
                ? BigFace.fine.flatMap { ($0.width(of: text) ?? .max) <= screen.width ? $0 : nil } : nil)
        guard let face else { return false }
        (arrangement, words, countdown) = (.stacked, face, large)
        return true
    }
}

extension String {
    /// Whether it has Korean or Chinese letters.
    fileprivate var hasWideLetters: Bool { unicodeScalars.contains { $0.value >= 0x2E80 } }
}
