import Canvas

/// How the user moves the map.
extension TripPanel {
    /// Moves the map by a key for a direction.
    mutating func pan(by key: Key, in state: State) {
        guard !state.showsLargeArrival else { return scroll(by: key.rows(page: state.page), in: state) }
        let step = MapControl.panStep
        switch key {
        case .left, .character("h"): pan(right: -step, down: 0, in: state)
        case .right, .character("l"): pan(right: step, down: 0, in: state)
        case .up, .character("k"): pan(right: 0, down: -step, in: state)
        case .down, .character("j"): pan(right: 0, down: step, in: state)
        default: break
        }
    }

    /// Moves the map by a fraction of its size; switches to the mode `free`.
    mutating func pan(right: Double, down: Double, in state: State) {
        guard let trip = state.trip, !trip.map.isEmpty else { return }
        let rect = state.mapRect
        let camera = state.camera(trip.map, in: rect)
        hold(camera)
        map.center.x += right * Double(rect.width * 2) / camera.scale
        map.center.y = min(max(map.center.y + down * Double(rect.height * 4) / camera.scale / camera.squeeze, 0), 1)
        map.mode = .free
    }

    /// Zooms by a factor around a cell of the screen, or around the middle; factors below 1 zoom out.
    mutating func zoom(by factor: Double, about cell: (x: Int, y: Int)? = nil, in state: State) {
        guard let trip = state.trip, !trip.map.isEmpty else { return }
        let rect = state.mapRect
        guard !rect.isEmpty else { return }
        let camera = state.camera(trip.map, in: rect)
        let scale = min(max(camera.scale * factor, MapControl.scales.lowerBound), MapControl.scales.upperBound)
        hold(camera)
        if let cell, map.mode != .follow {
            // The point under the mouse pointer stays at its position.
            let x = Double((cell.x - rect.x) * 2 + 1 - rect.width)
            let y = Double((cell.y - rect.y) * 4 + 2 - rect.height * 2) / camera.squeeze
            map.center.x += x / camera.scale - x / scale
            map.center.y += y / camera.scale - y / scale
        }
        map.scale = scale
        if map.mode == .fit { map.mode = .free }
        scrollToVehicle(in: state)
    }

    /// Shows everything, and fits the map again.
    mutating func fit() {
        map.mode = .fit
        map.fitted = nil
    }

    /// Marks all reports and shows the vehicle at its last one, or where it is now.
    mutating func toggleReports() { map.showsReports.toggle() }

    /// Switches to the mode `follow`; zooms in if everything was visible before.
    mutating func follow(in state: State) {
        guard let trip = state.trip, let vehicle = trip.map.vehicle else { return }
        let camera = state.camera(trip.map, in: state.mapRect)
        // About 20 m per cell: two or three streets ahead on a small map.
        if map.mode == .fit { map.scale = max(camera.scale, 0.1 / trip.map.unitsPerMeter) }
        map.center = vehicle
        map.mode = .follow
    }

    /// Moves the map when the vehicle leaves its middle third, so that not every step causes a full redraw.
    mutating func scrollToVehicle(in state: State) {
        guard map.mode == .follow, let trip = state.trip,
            let vehicle = state.estimate(trip)?.place ?? trip.map.vehicle
        else { return }
        let rect = state.mapRect
        let across = abs(vehicle.x - map.center.x) * map.scale
        let down = abs(vehicle.y - map.center.y) * map.scale * state.settings.squeeze
        if across > Double(rect.width) / 3 || down > Double(rect.height * 2) / 3 { map.center = vehicle }
    }

    /// Retains or replaces the section that shows everything, after each change; fits again regardless of it if it is new.
    mutating func updateFit(isNew: Bool = false, in state: State) {
        if isNew { map.fitted = nil }
        guard map.mode == .fit, let trip = state.trip, !trip.map.isEmpty else {
            map.fitted = nil
            return
        }
        let rect = state.mapRect
        guard !rect.isEmpty else { return }
        map.fitted = FittedArea.next(
            trip.id,
            trip.map.corners,
            fit: state.bestFit(trip.map, in: rect),
            previous: map.fitted
        )
    }

    private mutating func hold(_ camera: MapCamera) {
        map.center = camera.center
        map.scale = camera.scale
    }
}
