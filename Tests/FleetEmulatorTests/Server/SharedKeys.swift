import FleetEmulator

/// The generated keys that emulators of different tests share: generating them takes seconds without optimization.
enum SharedKeys {
    /// Generates the keys on first use.
    private static let generated = Task { try await EmulatorKeys() }

    /// The keys of the signing roles; emulators only read them.
    static var keys: EmulatorKeys {
        get async throws { try await generated.value }
    }
}
