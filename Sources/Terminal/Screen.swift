package import Canvas

/// The terminal: provides events and displays canvases.
///
/// A single thread uses ncurses and the device and sleeps in `poll()`; this actor runs on it.
///
/// ```
/// keys, mouse ─┐                             ┌─▶ events (AsyncStream)
/// signals ─────┼─▶ poll() ─▶ act ─▶ take ────┤
/// jobs ────────┤                             └─▶ frame: differences ─▶ ncurses ─▶ one write
/// deadlines ───┘
/// ```
///
/// The deadlines are: a single Escape, the next frame (at most one per 16 ms), and the end after an unhandled signal. Otherwise
/// the thread does not wake up. While the terminal accepts no bytes, no frame is drawn; only the newest canvas is stored.
package actor Screen {
    /// The minimum interval between frames in milliseconds.
    static let frameInterval = 16
    /// The time in milliseconds for the program to close the screen after a signal or a hang-up.
    static let closeTimeout = 1000
    /// The time in milliseconds for the program to end after it has closed the screen for that reason.
    static let endTimeout = 1000

    /// The terminal's events in order, for one consumer; ends when the screen is closed.
    package nonisolated let events: AsyncStream<TerminalEvent>
    /// The terminal's capabilities.
    package nonisolated let capabilities: Capabilities
    /// The current columns and rows.
    package internal(set) var size: (width: Int, height: Int)

    private nonisolated let executor: PollExecutor
    let continuation: AsyncStream<TerminalEvent>.Continuation
    let device: Device
    var decoder: InputDecoder
    var inputLog = InputLog()
    var lastInput = 0
    var painter: Painter
    /// The theme of the frames, and whether it follows the background of the terminal.
    var theme: Theme.Name
    var followsBackground: Bool
    var wanted: Canvas?
    /// The notifications to send with the next frame.
    var notifications: [String] = []
    /// The status of the window to send with the next frame, and the one that was sent.
    var wantedStatus: WindowStatus?
    var shownStatus: WindowStatus?
    var nextFrame = 0
    var death: (signal: Int32, at: Int)?
    var isClosed = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Opens the terminal: alternate screen, raw keys, standard error buffered until the terminal is restored.
    ///
    /// Call it once per process and early, before other threads read the environment. Afterwards the terminal is restored
    /// whenever the process ends: by `exit`, a signal or a trap. If the process cannot do it (SIGKILL, a stack overflow on a
    /// pool thread), a child process that waits for its end does.
    package static func open(_ options: TerminalOptions) throws(TerminalError) -> Screen {
        var capabilities = Capabilities(options: options, isUTF8: Device.isUTF8())
        let device = try Device(options: options, capabilities: &capabilities)
        var decoder = InputDecoder(extraKeys: device.describedKeys())
        let typedAhead = Input(bytes: options.typedAhead, events: decoder.feed(options.typedAhead))
        let first = device.awaitBackground(&capabilities, &decoder)
        let screen = Screen(device: device, capabilities: capabilities, decoder: decoder, input: [typedAhead, first])
        if options.mouse, capabilities.hasMouse { screen.startWithMouse() }
        do {
            try screen.executor.start { screen.run() }
        } catch {
            Device.restore()
            throw error
        }
        return screen
    }

    private init(device: consuming Device, capabilities: Capabilities, decoder: InputDecoder, input: [Input]) {
        (events, continuation) = AsyncStream.makeStream(
            of: TerminalEvent.self,
            bufferingPolicy: .bufferingOldest(10_000)
        )
        size = device.size()
        self.decoder = decoder
        theme = capabilities.theme
        followsBackground = capabilities.features.contains(.background)
        painter = Painter(theme: Theme(capabilities.theme), capabilities: capabilities)
        executor = PollExecutor()
        self.capabilities = capabilities
        self.device = device
        continuation.yield(.resized(width: size.width, height: size.height))
        lastInput = Device.now()
        for input in input {
            inputLog.add(input.bytes, events: input.events.count)
            for event in input.events { continuation.yield(event) }
        }
    }

    /// Enables mouse reports before the thread starts.
    private nonisolated func startWithMouse() { Device.mouse(true) }

    // MARK: Output

    /// Shows a canvas as soon as the terminal accepts it; a newer canvas replaces a pending one.
    ///
    /// - Parameters:
    ///   - canvas: The content of the screen.
    ///   - status: What the window shows outside of the screen; `nil` for no change.
    /// - Returns: Whether the terminal has not yet accepted all bytes of earlier frames.
    @discardableResult
    package func present(_ canvas: Canvas, _ status: WindowStatus? = nil) -> Bool {
        wanted = canvas
        wantedStatus = status ?? wantedStatus
        return device.pending > 0
    }

    /// Rings the bell and sends a notification, together with the next frame.
    ///
    /// At most the latest three pending notifications are sent.
    package func notify(_ message: String) {
        guard !isClosed else { return }
        notifications = notifications.suffix(2) + [message]
        wanted = wanted ?? painter.shown
    }

    /// Switches the theme from the next frame on; it does not follow the background of the terminal any more.
    package func use(_ theme: Theme.Name) {
        followsBackground = false
        draw(in: theme)
    }

    func draw(in theme: Theme.Name) {
        self.theme = theme
        painter = Painter(theme: Theme(theme), capabilities: capabilities)
        wanted = wanted ?? painter.shown
    }

    /// Enables or disables mouse reports; when disabled, the terminal can select text.
    package func reportMouse(_ isOn: Bool) {
        guard capabilities.hasMouse, !isClosed else { return }
        Device.mouse(isOn)
    }

    /// Copies a text to the clipboard, if the terminal permits it.
    package func copy(_ text: String) {
        guard !isClosed else { return }
        Device.copy(text)
    }

    /// Restores the terminal, stops the process as Ctrl-Z does, and takes the terminal again when it continues.
    package func suspend() {
        guard !isClosed else { return }
        resume(hasTerminal: device.suspend())
    }

    /// Restores the terminal at once, from any thread, when the process ends without closing its screen.
    package static func restore() { Device.restore() }

    /// Returns the latest bytes from the terminal whose events were not handled, for a program that replaces this one.
    ///
    /// - Parameter count: The number of keys, mouse events, pastes, changes of the focus and reports of the background that were
    ///   handled.
    /// - Returns: The bytes, in order.
    package func unhandledInput(after count: Int) -> [UInt8] {
        inputLog.bytes(after: count, InputDecoder(extraKeys: device.describedKeys()))
    }

    /// Restores the terminal and ends its guard process, before another program replaces this one.
    package static func prepareForReplacement() { Device.prepareForReplacement() }

    /// Restores the terminal permanently and writes the buffered standard error.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        device.close()
        continuation.finish()
        if let death { self.death = (death.signal, Device.now() + Self.endTimeout) }
    }

    // MARK: The loop

    private nonisolated func run() {
        while true {
            executor.runJobs()
            let wait = assumeIsolated { $0.runDueWork() }
            let ready = Device.wait(wait)
            assumeIsolated { $0.handle(ready) }
        }
    }

    /// Ctrl-L, which draws everything in nearly all programs on terminals.
    static let redrawKey = Key("l", [.control])
}
