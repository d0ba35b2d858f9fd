import Canvas
import Runtime
import TripText

/// The areas of the presenter view, and the faces of its large text.
///
/// With room for a map, words and countdown are beside each other above it; otherwise they are below each other.
struct PresenterLayout {
    /// The line with the clock.
    let header: Rect
    /// The words.
    let words: Rect
    /// The countdown; empty if it is part of ``details``.
    let countdown: Rect
    /// The line with the ETA.
    let details: Rect
    /// The line with the status sentence; empty if it is beside the ETA.
    let sentence: Rect
    /// The map across the screen; empty if there is no room.
    let map: Rect
    /// Who talks to whom, and the token; empty if it is not wanted or there is no room.
    let talk: Rect
    /// The progress of the ride; empty if there is no room.
    let progress: Rect
    /// The band of the caption; empty without a caption.
    let caption: Rect
    /// The lines of the caption.
    let captionLines: [String]
    /// The face of the words; `nil` if they are drawn as plain text.
    let wordsFace: BigFace?
    /// The face of the countdown; `nil` if it is part of ``details``.
    let countdownFace: BigFace?

    /// Computes the layout for the words and the countdown of a trip; the countdown may be empty.
    init(
        words text: String,
        countdown watch: String,
        caption: String,
        hasTalk: Bool,
        in screen: Rect,
        glyphs: GlyphSet
    ) {
        let hasMap = screen.width >= 60 && screen.height >= 16
        // A tall and narrow screen has the words, the countdown and the map below each other.
        let isNarrow = !hasMap && screen.width >= 36 && screen.height >= 24
        let width = screen.width - 4
        let height = hasMap || isNarrow ? screen.height / 5 : screen.height / 3
        // The size stays the same when a digit is dropped.
        let template = watch.isEmpty ? "" : String(repeating: "0", count: max(0, 5 - watch.count)) + watch
        func face(_ texts: [String], width: Int) -> BigFace? {
            let texts = texts.filter { !$0.isEmpty }
            guard glyphs.level > .ascii, !texts.isEmpty else { return nil }
            // The smallest Korean and Chinese letters need a row more than a fifth of 40 rows.
            return BigFace.largest(for: texts, width: width, height: height + (texts.joined().hasWideLetters ? 1 : 0))
        }
        if hasMap, let both = face([text, template], width: width) {
            (wordsFace, countdownFace) = (both, watch.isEmpty ? nil : both)
        } else if hasMap, text.hasWideLetters, let words = face([text], width: width - 40) {
            // The smallest wide letters are large: the countdown gets what they leave.
            (wordsFace, countdownFace) = (words, face([template], width: width - (words.width(of: text) ?? 0) - 4))
        } else if hasMap {
            // A background is three columns wider on each side than its text.
            (wordsFace, countdownFace) = (nil, face([template], width: width - TextWidth.of(text) - 10))
        } else {
            (wordsFace, countdownFace) = (face([text], width: width), face([template], width: width))
        }
        func rows(_ face: BigFace?, _ text: String) -> Int { face.map { $0.rowsAbove(text) + $0.rowsBelow } ?? 0 }
        let plain = wordsFace == nil ? (screen.height >= (hasMap ? 24 : 15) ? 3 : 1) : 0
        let large = (rows(wordsFace, text), rows(countdownFace, watch))
        let band = hasMap ? max(large.0, large.1, plain) : max(large.0, plain)
        let isTall = screen.height >= 36
        let lines =
            caption.isEmpty || screen.height < 10
            ? []
            : Printable.wrapped(
                caption,
                to: max(1, width),
                limit: State.captionLimit(width: screen.width, height: screen.height)
            )
        captionLines = lines
        let areas = screen.rows([
            .fixed(1), .fixed(screen.height >= 24 ? 1 : 0), .fixed(band),
            .fixed(hasMap || screen.height < 10 ? 0 : 1), .fixed(hasMap ? 0 : large.1), .fixed(1),
            .fixed(hasMap ? 0 : 1), .flexible(),
            .fixed(hasTalk && screen.height >= 20 ? PresenterTalk.height(width, in: screen.height) : 0),
            .fixed(screen.height >= 10 ? 1 : 0),
            .fixed(lines.isEmpty ? 0 : lines.count + (isTall ? 2 : 0)),
        ])
        let inner = areas.map { $0.inset(horizontal: 2, vertical: 0) }
        let used = countdownFace?.width(of: watch) ?? 0
        header = areas[0]
        let below = hasMap ? inner[2] : inner[4]
        countdown = Rect(x: hasMap ? below.maxX - used : below.x, y: below.y, width: used, height: below.height)
        let beside = hasMap && used > 0 ? used + 4 : 0
        words = Rect(x: inner[2].x, y: inner[2].y, width: inner[2].width - beside, height: band)
        details = inner[5]
        sentence = inner[6]
        map = hasMap || isNarrow ? areas[7] : Rect(x: 0, y: 0, width: 0, height: 0)
        talk = inner[8]
        progress = inner[9]
        self.caption = areas[10]
    }
}

extension String {
    /// Whether it has Korean or Chinese letters.
    fileprivate var hasWideLetters: Bool { unicodeScalars.contains { $0.value >= 0x2E80 } }
}
