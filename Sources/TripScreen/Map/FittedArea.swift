import Canvas
import TripModel

/// The section that shows everything; it stays while it is good enough, because every change redraws the whole map.
struct FittedArea: Sendable, Equatable {
    /// The journey that it shows.
    var journey: JourneyID
    /// The section.
    private(set) var camera: MapCamera

    /// A section is replaced if a new one would be closer by this factor.
    static let closer = 1.5
    /// A section is replaced if a point leaves it or is nearer to its border than this fraction of its size.
    static let margin = 0.03

    /// Returns the section for the points of a trip: the previous one, unless it is no longer good enough.
    ///
    /// `fit` is the section that fits the points best.
    static func next(
        _ journey: JourneyID,
        _ points: [MapPicture.Point],
        fit: MapCamera,
        previous: FittedArea?
    ) -> FittedArea {
        if let previous, previous.journey == journey, previous.camera.rect == fit.rect,
            previous.camera.squeeze == fit.squeeze, fit.scale < previous.camera.scale * closer,
            points.allSatisfy({ previous.shows($0) })
        {
            return previous
        }
        return FittedArea(journey: journey, camera: fit)
    }

    /// Returns whether a point is visible and not at the border.
    private func shows(_ point: MapPicture.Point) -> Bool {
        let dot = camera.dot(point)
        let (width, height) = (Double(camera.rect.width * 2), Double(camera.rect.height * 4))
        return dot.x >= width * Self.margin && dot.x <= width * (1 - Self.margin)
            && dot.y >= height * Self.margin && dot.y <= height * (1 - Self.margin)
    }
}

extension State {
    /// Returns the section that fits everything best.
    ///
    /// A single place, such as the stop of a shipment whose vehicle is not shown, has the streets around it.
    func bestFit(_ picture: MapPicture, in rect: Rect) -> MapCamera {
        let isOnePlace = Set(picture.corners).count == 1
        return MapCamera(
            fitting: picture.corners,
            in: rect,
            closest: (isOnePlace ? 0.25 : 2) / picture.unitsPerMeter,
            squeeze: settings.squeeze
        )
    }
}
