/// A scenario whose taxi only waits, so that nothing but the test drives it.
enum ParkedTaxi {
    /// Returns the scenario with one expectation of the trip that waits for the taxi.
    static func scenario(expecting status: String, within seconds: Int) -> String {
        """
        title: A parked taxi
        about: The taxi waits at the hospital.
        vehicles:
          - {id: taxi-9, at: Hospital, steps: [{wait: 1}]}
        trips:
          - {id: ride-9, pickup: Law Courts, dropoff: Brewery}
        expect:
          - {trip: ride-9, status: \(status), within: \(seconds)}
        """
    }
}
