import FleetWire

extension FieldMask {
    /// Throws INVALID_ARGUMENT for an empty mask, and for a field that can't be updated.
    func check(_ updatable: Set<String>) throws(ServiceError) {
        guard !paths.isEmpty else { throw .invalidArgument("update_mask is required") }
        for path in paths where !updatable.contains(path) {
            throw .invalidArgument("update_mask names \(path), which can't be updated")
        }
    }
}
