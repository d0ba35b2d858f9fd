import Canvas

extension Screen {
    /// Performs what is due; returns the milliseconds until the next deadline.
    func runDueWork() -> Int? {
        let now = Device.now()
        var deadlines: [Int] = []
        if let death {
            if now >= death.at { Device.die(of: death.signal) }
            deadlines.append(death.at)
        }
        guard !isClosed else { return deadlines.min().map { $0 - now } }
        if let timeout = decoder.timeout(escapeDelay: capabilities.escapeDelay) {
            if now >= lastInput + timeout {
                send(decoder.expire(), of: [])
            } else {
                deadlines.append(lastInput + timeout)
            }
        }
        if let canvas = wanted, device.pending == 0 {
            if now >= nextFrame {
                wanted = nil
                for message in notifications { device.queue(Notification.bytes(message, capabilities)) }
                notifications = []
                let status = wantedStatus?.bytes(since: shownStatus, capabilities) ?? []
                shownStatus = wantedStatus
                painter.paint(canvas, within: size, followedBy: status, on: device)
                nextFrame = now + Self.frameInterval
            } else {
                deadlines.append(nextFrame)
            }
        }
        return deadlines.min().map { $0 - now }
    }

    func handle(_ ready: Device.Ready) {
        if ready.contains(.signal) {
            while let signal = Device.nextSignal() { handle(signal: signal) }
        }
        guard !isClosed else { return }
        if ready.contains(.output) { device.flush() }
        if ready.contains(.input) {
            if let bytes = device.read() {
                lastInput = Device.now()
                send(decoder.feed(bytes), of: bytes)
            } else {
                hangUp()
            }
        } else if ready.contains(.gone) {
            hangUp()
        }
    }

    func handle(signal: Int32) {
        switch Signal(signal) {
        case .windowChanged: measure()
        case .stop: suspend()
        case .continued:
            guard !isClosed else { return }
            resume(hasTerminal: device.retake())
        case .end:
            let at = Device.now() + (isClosed ? Self.endTimeout : Self.closeTimeout)
            death = death ?? (signal, at)
            continuation.yield(.interrupted(signal: signal))
        case .other: break
        }
    }

    private func hangUp() {
        device.forget()
        death = death ?? (Signal.hangUp, Device.now() + Self.closeTimeout)
        continuation.yield(.hangup)
    }

    func resume(hasTerminal: Bool) {
        guard hasTerminal else { return hangUp() }
        // The restored terminal has its own title and no progress.
        shownStatus = nil
        measure()
        continuation.yield(.resumed)
    }

    /// Takes the size of the terminal, and draws everything.
    ///
    /// A terminal that is attached to a running program (dtach, tmux, screen) is blank and may have the same size.
    private func measure() {
        guard !isClosed else { return }
        redraw()
        let now = device.size()
        guard now != size else { return }
        size = now
        continuation.yield(.resized(width: now.width, height: now.height))
    }

    /// Draws all cells with the next frame, whatever the terminal shows.
    private func redraw() {
        device.repaint()
        painter.forget()
        wanted = wanted ?? painter.shown
    }

    func send(_ events: [TerminalEvent], of bytes: [UInt8]) {
        inputLog.add(bytes, events: events.count)
        for event in events {
            if event == .key(Self.redrawKey) { redraw() }
            if case .background(let background) = event, followsBackground, theme != background.theme {
                draw(in: background.theme)
            }
            continuation.yield(event)
        }
    }
}
