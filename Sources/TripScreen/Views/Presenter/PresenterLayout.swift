import Canvas
import Runtime
import TripText

/// The areas of the presenter view, and the faces of its large text.
///
/// With room for a map, words and countdown are beside each other above it, or below each other where both would be small;
/// otherwise they are below each other.
struct PresenterLayout {
    /// The line with the clock.
    let header: Rect
    /// The words.
    let words: Rect
    /// The countdown; empty if it is part of ``details``.
    let countdown: Rect
    /// The line with the ETA; the lines with all sentences beside a countdown that is below the words.
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
    /// Whether the words are above the countdown, and the sentences beside it.
    let isStacked: Bool
    /// The rows below the baselines of the words and of the countdown.
    let wordsBelow: Int
    let countdownBelow: Int
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
        let isTall = screen.height >= 36
        let talkRows = hasTalk && screen.height >= 20 ? PresenterTalk.height(width, in: screen.height) : 0
        // The header, the progress, and a caption of two lines even if there is none, so that the sizes stay the same.
        let edges = 2 + (isTall ? 5 : 2)
        let faces = PresenterFaces(
            text,
            watch,
            hasMap: hasMap,
            height: hasMap || isNarrow ? screen.height / 5 : screen.height / 3,
            room: screen.height - edges - talkRows - (hasTalk ? 0 : screen.height / 4),
            in: screen,
            glyphs: glyphs
        )
        isStacked = faces.arrangement == .stacked
        (wordsFace, countdownFace) = (faces.words, faces.countdown)
        let isStacked = isStacked
        func below(_ face: BigFace, _ text: String) -> Int { isStacked ? face.rowsBelow(text) : face.rowsBelow }
        func rows(_ face: BigFace?, _ text: String) -> Int { face.map { $0.rowsAbove(text) + below($0, text) } ?? 0 }
        wordsBelow = wordsFace.map { below($0, text) } ?? 0
        countdownBelow = countdownFace.map { below($0, watch) } ?? 0
        let plain = wordsFace == nil ? (screen.height >= (hasMap ? 24 : 15) ? 3 : 1) : 0
        let large = (rows(wordsFace, text), rows(countdownFace, watch))
        let band = hasMap && !isStacked ? max(large.0, large.1, plain) : max(large.0, plain)
        // Beside a stacked countdown, the sentences have all of its rows.
        let hasSentences = isStacked && countdownFace != nil
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
            .fixed(1), .fixed(screen.height >= (isStacked ? 30 : 24) ? 1 : 0), .fixed(band),
            .fixed(hasMap || screen.height < 10 ? 0 : 1), .fixed(hasMap && !isStacked ? 0 : large.1),
            .fixed(hasSentences ? 0 : 1), .fixed(hasMap ? 0 : 1), .flexible(), .fixed(talkRows),
            .fixed(screen.height >= 10 ? 1 : 0),
            .fixed(lines.isEmpty ? 0 : lines.count + (isTall ? 2 : 0)),
        ])
        let inner = areas.map { $0.inset(horizontal: 2, vertical: 0) }
        let used = countdownFace?.width(of: watch) ?? 0
        header = areas[0]
        let row = hasMap && !isStacked ? inner[2] : inner[4]
        countdown = Rect(x: hasMap ? row.maxX - used : row.x, y: row.y, width: used, height: row.height)
        let beside = hasMap && used > 0 ? used + 4 : 0
        let margin = max(0, min(1, screen.width - (wordsFace?.width(of: text) ?? 0)))
        words =
            isStacked
            ? Rect(x: areas[2].x + margin, y: areas[2].y, width: areas[2].width - margin, height: areas[2].height)
            : Rect(x: inner[2].x, y: inner[2].y, width: inner[2].width - beside, height: band)
        details =
            hasSentences
            ? Rect(x: row.x, y: row.y, width: row.width - used - 3, height: row.height) : inner[5]
        sentence = inner[6]
        // A strip of one or two rows shows nothing of a map.
        let hasRoom = (hasMap || isNarrow) && areas[7].height > 2
        map = hasRoom ? areas[7] : Rect(x: 0, y: 0, width: 0, height: 0)
        talk = inner[8]
        progress = inner[9]
        self.caption = areas[10]
    }
}
