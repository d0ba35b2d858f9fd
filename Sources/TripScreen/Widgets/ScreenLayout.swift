import Canvas

/// The areas of the screen for a size.
struct ScreenLayout: Sendable, Equatable {
    var header: Rect
    /// The tabs; empty if there is no room.
    var tabs: Rect
    /// The row below the tabs; empty without a banner.
    var banner: Rect
    /// The area between the tabs and the key line.
    var body: Rect
    var status: Rect
    var map: Rect
    var arrival = Rect(x: 0, y: 0, width: 0, height: 0)
    var timeline = Rect(x: 0, y: 0, width: 0, height: 0)
    var token = Rect(x: 0, y: 0, width: 0, height: 0)
    var polling = Rect(x: 0, y: 0, width: 0, height: 0)
    var events = Rect(x: 0, y: 0, width: 0, height: 0)
    /// The latest calls; empty unless the screen is large.
    var calls = Rect(x: 0, y: 0, width: 0, height: 0)
    /// The findings; empty unless the screen is large.
    var findings = Rect(x: 0, y: 0, width: 0, height: 0)
    /// The rows below the body that show who talks to whom; empty if they are not wanted or there is no room.
    var talk: Rect
    /// The caption; empty without one.
    var caption: Rect
    /// The row above the key line; empty without a time line.
    var timeLine: Rect
    var keys: Rect
    /// Whether there is room for a few lines only, which replace the map.
    var isReduced = false
    /// Whether a tall and narrow screen has the lines, the map and the events below each other.
    var isNarrow = false
    /// Whether the timeline has a panel with one line per step.
    var hasTimelinePanel = false

    /// The minimum size; a smaller screen shows only a message about its size.
    static let smallest = (width: 30, height: 6)
    /// The minimum size of the area below the status that also has calls and findings.
    static let large = (width: 160, height: 48)

    init(
        _ screen: Rect,
        mapIsLarge: Bool = false,
        hasBanner: Bool = false,
        hasTimeLine: Bool = false,
        hasTalk: Bool = false,
        isPresenter: Bool = false,
        captionRows: Int = 0,
        steps: Int = 5
    ) {
        let tall = screen.height >= 20 && screen.width >= 60
        let lines = screen.rows([
            .fixed(1), .fixed(tall && !isPresenter ? 1 : 0), .fixed(hasBanner ? 1 : 0), .flexible(),
            .fixed(hasTalk && screen.height >= 12 ? TalkStrip.height(screen.width) : 0),
            .fixed(screen.height >= 10 ? captionRows : 0), .fixed(hasTimeLine ? 1 : 0), .fixed(1),
        ])
        header = lines[0]
        tabs = lines[1]
        banner = lines[2]
        body = lines[3]
        talk = lines[4]
        caption = lines[5]
        timeLine = lines[6]
        keys = lines[7]
        let rows = body.rows([.fixed(1), .flexible()])
        status = rows[0]
        map = rows[1]
        let isNarrow = screen.width < 60
        if screen.height < 16 || (isNarrow && (screen.width < 36 || screen.height < 24)) {
            isReduced = true
        } else if mapIsLarge {
            return
        } else if isNarrow {
            narrow(map)
        } else if screen.width < 110 || screen.height < 32 {
            compact(map)
        } else if map.width < Self.large.width || map.height < Self.large.height {
            wide(map, steps: steps)
        } else {
            large(map, steps: steps)
        }
    }

    private mutating func narrow(_ body: Rect) {
        isNarrow = true
        let parts = body.rows([
            .fixed(min(13, body.height * 2 / 5)), .flexible(), .fixed(min(10, max(4, body.height / 6))),
        ])
        arrival = parts[0]
        map = parts[1]
        events = parts[2]
    }

    /// Gives rows that a panel of the right column does not need to those that need more; the arrival comes first.
    mutating func shareRows(_ rows: PanelRows) {
        guard !self.token.isEmpty, !self.polling.isEmpty else { return }
        let frame = 2
        let wanted = [rows.arrival, rows.token, rows.polling].map { $0 + frame }
        var heights = [arrival.height, self.token.height, self.polling.height]
        for needy in heights.indices {
            for donor in heights.indices.reversed() where donor != needy {
                let moved = min(wanted[needy] - heights[needy], heights[donor] - wanted[donor])
                guard moved > 0 else { continue }
                heights[needy] += moved
                heights[donor] -= moved
            }
        }
        // The latencies are drawn in what is left; on a large screen also in what the arrival leaves.
        for index in calls.isEmpty ? [1] : [0, 1] {
            let spare = max(0, heights[index] - wanted[index])
            heights[index] -= spare
            heights[2] += spare
        }
        var row = arrival.y
        func next(_ rect: inout Rect, _ height: Int) {
            rect = Rect(x: rect.x, y: row, width: rect.width, height: height)
            row += height
        }
        next(&arrival, heights[0])
        if hasTimelinePanel { next(&timeline, timeline.height) }
        next(&self.token, heights[1])
        next(&self.polling, heights[2])
    }

    private mutating func compact(_ body: Rect) {
        let hasStrip = body.height >= 16
        let parts = body.rows([.fixed(hasStrip ? 2 : 0), .flexible()])
        timeline = parts[0]
        let right = body.width < 72 ? 34 : max(38, min(48, body.width * 9 / 20))
        let columns = parts[1].columns([.flexible(), .fixed(right)])
        let height = parts[1].height
        let log = min(10, max(3, height / 3))
        let left = columns[0].rows([.flexible(), .fixed(log)])
        map = left[0]
        events = left[1]
        let panel = min(9, max(4, height * 6 / 19))
        let stack = columns[1].rows([.flexible(), .fixed(panel), .fixed(panel)])
        arrival = stack[0]
        token = stack[1]
        polling = stack[2]
    }

    /// With two columns, the timeline has a row for each of its steps, and the arrival gets the rows that the others do not need.
    private mutating func wide(_ body: Rect, steps: Int) {
        hasTimelinePanel = true
        let columns = body.columns([.flexible(), .fixed(min(64, max(46, body.width * 2 / 5)))])
        let left = columns[0].rows([.flexible(), .fixed(min(body.height / 3, 16))])
        map = left[0]
        events = left[1]
        let panel = (body.height * 9 + 19) / 38
        let isTall = body.height >= 48
        let line = isTall ? min(12, panel) : min(12, max(5, steps) + 2)
        let life = isTall ? min(11, panel) : 7
        let rest = isTall ? min(13, panel + 1) : min(14, max(8, body.height - line - life - 8))
        let stack = columns[1].rows([.fixed(rest), .fixed(line), .fixed(life), .flexible()])
        arrival = stack[0]
        timeline = stack[1]
        token = stack[2]
        polling = stack[3]
    }

    /// On a large screen, the calls are below the map, and events and findings below the other panels.
    private mutating func large(_ body: Rect, steps: Int) {
        hasTimelinePanel = true
        let columns = body.columns([.flexible(), .fixed(64)])
        let left = columns[0].rows([.flexible(), .fixed(body.height / 4)])
        (map, calls) = (left[0], left[1])
        let (line, life) = (min(12, max(2, steps) + 2), 6)
        // Each stop has two lines and two steps; at least 19 rows are left for polls, events and findings.
        let ownRows = max(13, min(8 + max(5, steps), body.height - line - life - 19))
        let rest = body.height - ownRows - line - life
        let stack = columns[1].rows([
            .fixed(ownRows), .fixed(line), .fixed(life), .flexible(), .fixed(max(5, rest * 2 / 5)),
            .fixed(min(7, rest / 3)),
        ])
        arrival = stack[0]
        timeline = stack[1]
        token = stack[2]
        polling = stack[3]
        events = stack[4]
        findings = stack[5]
    }
}
