package import Canvas

/// The terminal: events come out, pictures go in.
///
/// One thread owns ncurses and the device and sleeps in `poll()` until there is something to do; this actor lives on it.
///
/// ```
/// keys, mouse ─┐                             ┌─▶ events (AsyncStream)
/// signals ─────┼─▶ poll() ─▶ act ─▶ take ────┤
/// jobs ────────┤                             └─▶ frame: differences ─▶ ncurses ─▶ one write
/// deadlines ───┘
/// ```
///
/// The deadlines are: a lone Escape, the next frame (at most one in 16 ms), and the end after an unanswered signal. With
/// none of them due nothing wakes the thread. While the terminal takes no bytes no frame is made; the newest picture
/// waits, the ones before it are forgotten.
package actor Screen {
    /// Milliseconds between frames at least.
    static let frameInterval = 16
    /// Milliseconds that the program has to close the screen after a signal or a hang-up.
    static let patience = 1000
    /// Milliseconds that the program has to end after it closed the screen because of one.
    static let lastPatience = 1000

    /// What happens at the terminal, in order, for one consumer; ends when the screen is closed.
    package nonisolated let events: AsyncStream<TerminalEvent>
    /// What the terminal can do.
    package nonisolated let capabilities: Capabilities
    /// The columns and rows at this moment.
    package private(set) var size: (width: Int, height: Int)

    private nonisolated let executor: PollExecutor
    private let continuation: AsyncStream<TerminalEvent>.Continuation
    private let device: Device
    private var decoder: InputDecoder
    private var lastInput = 0
    private var painter: Painter
    private var wanted: Canvas?
    /// Notifications that wait for the next frame.
    private var notifications: [String] = []
    private var nextFrame = 0
    private var death: (signal: Int32, at: Int)?
    private var isClosed = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Takes the terminal: alternate screen, raw keys, standard error kept until the screen is given back.
    ///
    /// Call it early, before other threads read the environment, and once in a process. Whatever ends the process
    /// afterwards, `exit`, a signal or a fault, gives the terminal back; where the process cannot do it (SIGKILL, a stack
    /// overflow on a thread of the pool), a child process that waits for its end does.
    package static func open(_ options: TerminalOptions) throws(TerminalError) -> Screen {
        var capabilities = Capabilities(options: options, isUTF8: Device.isUTF8())
        let device = try Device(options: options, capabilities: &capabilities)
        let screen = Screen(device: device, capabilities: capabilities)
        if options.mouse, capabilities.hasMouse { screen.startWithMouse() }
        do {
            try screen.executor.start { screen.run() }
        } catch {
            Device.giveBack()
            throw error
        }
        return screen
    }

    private init(device: consuming Device, capabilities: Capabilities) {
        (events, continuation) = AsyncStream.makeStream(
            of: TerminalEvent.self,
            bufferingPolicy: .bufferingOldest(10_000)
        )
        size = device.size()
        decoder = InputDecoder(extraKeys: device.describedKeys())
        painter = Painter(theme: Theme(capabilities.theme), capabilities: capabilities)
        executor = PollExecutor()
        self.capabilities = capabilities
        self.device = device
        continuation.yield(.resized(width: size.width, height: size.height))
    }

    /// Switches the mouse on before the thread starts.
    private nonisolated func startWithMouse() { Device.mouse(true) }

    // MARK: What the program asks for

    /// Shows a picture as soon as the terminal takes it; a newer one replaces one that still waits.
    package func present(_ canvas: Canvas) {
        wanted = canvas
    }

    /// Rings the bell, and shows a message outside of the screen, together with the next frame.
    ///
    /// Of several that wait for one frame the latest three are shown.
    package func notify(_ message: String) {
        guard !isClosed else { return }
        notifications = notifications.suffix(2) + [message]
        wanted = wanted ?? painter.shown
    }

    /// Looks different from the next picture on.
    package func use(_ theme: Theme.Name) {
        painter = Painter(theme: Theme(theme), capabilities: capabilities)
        wanted = wanted ?? painter.shown
    }

    /// Reports the mouse, or leaves it to the terminal for selecting text.
    package func reportMouse(_ isOn: Bool) {
        guard capabilities.hasMouse, !isClosed else { return }
        Device.mouse(isOn)
    }

    /// Puts a text into the clipboard, where the terminal lets programs do that.
    package func copy(_ text: String) {
        guard !isClosed else { return }
        Device.copy(text)
    }

    /// Gives the terminal back, stops the process as Ctrl-Z does, and takes the terminal again when it is continued.
    package func suspend() {
        guard !isClosed else { return }
        device.suspend()
        resume()
    }

    /// Gives the terminal back at once, from any thread, when the process is about to end without closing its screen.
    package static func giveBack() { Device.giveBack() }

    /// Gives the terminal back and ends the process that guards it, before another program takes this one's place.
    package static func leave() { Device.leave() }

    /// Gives the terminal back for good; what was written to standard error meanwhile follows there.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        device.restore()
        continuation.finish()
        if let death { self.death = (death.signal, Device.now() + Self.lastPatience) }
    }

    // MARK: The loop

    private nonisolated func run() {
        while true {
            executor.runJobs()
            let wait = assumeIsolated { $0.doWhatIsDue() }
            let ready = Device.wait(wait)
            assumeIsolated { $0.take(ready) }
        }
    }

    /// Does what its time has come for; gives the milliseconds until the next deadline.
    private func doWhatIsDue() -> Int? {
        let now = Device.now()
        var deadlines: [Int] = []
        if let death {
            if now >= death.at { Device.die(of: death.signal) }
            deadlines.append(death.at)
        }
        guard !isClosed else { return deadlines.min().map { $0 - now } }
        if let patience = decoder.patience(escapeDelay: capabilities.escapeDelay) {
            if now >= lastInput + patience {
                send(decoder.expire())
            } else {
                deadlines.append(lastInput + patience)
            }
        }
        if let canvas = wanted, device.pending == 0 {
            if now >= nextFrame {
                wanted = nil
                for message in notifications { device.queue(Notification.bytes(message, capabilities)) }
                notifications = []
                painter.paint(canvas, on: device)
                nextFrame = now + Self.frameInterval
            } else {
                deadlines.append(nextFrame)
            }
        }
        return deadlines.min().map { $0 - now }
    }

    private func take(_ ready: Device.Ready) {
        if ready.contains(.signal) {
            while let signal = Device.nextSignal() { take(signal: signal) }
        }
        guard !isClosed else { return }
        if ready.contains(.output) { device.flush() }
        if ready.contains(.input) {
            if let bytes = device.read() {
                lastInput = Device.now()
                send(decoder.feed(bytes))
            } else {
                hangUp()
            }
        } else if ready.contains(.gone) {
            hangUp()
        }
    }

    private func take(signal: Int32) {
        switch Signal(signal) {
        case .windowChanged: measure()
        case .stop: suspend()
        case .continued:
            guard !isClosed else { return }
            device.retake()
            resume()
        case .end:
            let at = Device.now() + (isClosed ? Self.lastPatience : Self.patience)
            death = death ?? (signal, at)
            continuation.yield(.interrupted(signal: signal))
        case .other: break
        }
    }

    private func hangUp() {
        device.forget()
        death = death ?? (Signal.hangUp, Device.now() + Self.patience)
        continuation.yield(.hangup)
    }

    private func resume() {
        measure()
        painter.forget()
        wanted = wanted ?? painter.shown
        continuation.yield(.resumed)
    }

    private func measure() {
        guard !isClosed else { return }
        let now = device.size()
        guard now != size else { return }
        size = now
        device.repaint()
        painter.forget()
        continuation.yield(.resized(width: now.width, height: now.height))
    }

    private func send(_ events: [TerminalEvent]) {
        for event in events { continuation.yield(event) }
    }
}
