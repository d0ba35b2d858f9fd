/// Who may have caused a failure and why: a pure function of the failure with its evidence and its history.
package struct Diagnosis: Sendable, Equatable {
    /// How certain a suspicion is.
    package enum Strength: String, Sendable, Comparable {
        /// It explains the failure as well as another suspicion.
        case possible
        /// It explains the failure better than all others.
        case likely
        /// The evidence allows no other explanation.
        case proven

        package static func < (left: Strength, right: Strength) -> Bool {
            let order: [Strength] = [.possible, .likely, .proven]
            return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
        }
    }

    /// A party that may have caused the failure.
    package struct Suspect: Sendable, Hashable {
        /// The party.
        package let party: Party
        /// How certain it is.
        package let strength: Strength
        /// The clue that supports it most; `nil` if the kind of failure alone does.
        package let clue: Clue?

        package init(_ party: Party, _ strength: Strength, _ clue: Clue? = nil) {
            (self.party, self.strength, self.clue) = (party, strength, clue)
        }
    }

    /// The maximum number of suspects.
    static let most = 3
    /// Suspects whose weight is lower than the highest by more than this are dropped.
    static let margin = 1

    /// The suspects, the likeliest first; empty if there is nothing to fix.
    package let suspects: [Suspect]
    /// A command that helps to distinguish several suspects; `nil` for one suspect, and if there is no such command.
    package let check: String?
    /// Whether something is wrong, and no check supports a suspect.
    package let isUnknown: Bool

    /// Creates a diagnosis of known suspects.
    package init(_ suspects: [Suspect], check: String? = nil, isUnknown: Bool = false) {
        (self.suspects, self.isUnknown) = (suspects, isUnknown)
        self.check = suspects.count > 1 ? check : nil
    }

    /// Creates the diagnosis of a failure with its exchange and its history.
    package init(_ failure: Failure) {
        guard failure.injected == nil else {
            // The fault is certain, and what it has caused says nothing about anyone else.
            self = .injected
            return
        }
        // A proxy's refusal says nothing about the token.
        if let rule = failure.brokenRule, failure.proxyAnswer != .marked {
            self = rule.diagnosis
            return
        }
        if let refusal = failure.history.refusal.map(Diagnosis.init), !refusal.suspects.isEmpty {
            self = refusal
            return
        }
        let root = failure.root.with(failure.exchange)
        let row = root.row
        let after = failure.history.hasAnswer ? row.afterAnswer : nil
        // What earlier answers contradict shows no party, either.
        let prior = after == nil ? row.party : nil
        guard prior != nil || after?.isMistake == true || after == nil && row.traits.contains(.showsNoParty) else {
            self.init([])
            return
        }
        if let prior, row.traits.contains(.provesParty), root.cache == nil {
            self.init([Suspect(prior, .proven)])
            return
        }
        let observation = Observation(root, failure.history)
        var weights = Weights()
        // What a cache answers says nothing about now, so that no other clue counts.
        let isCached = root.cache != nil
        if !isCached, let prior { weights.add(prior, Self.priorWeight, nil) }
        for (clue, effect) in Clue.table where (!isCached || clue == .cached) && effect.holds(observation) {
            for (party, weight) in effect.weights { weights.add(party, weight, clue) }
        }
        for (party, holds) in Clue.exclusions where holds(observation) { weights.exclude(party) }
        let suspects = weights.suspects
        self.init(suspects, check: observation.check(among: suspects), isUnknown: suspects.isEmpty)
    }

    /// The diagnosis of a failure that an injected fault explains: no other party has caused it, however it appears.
    package static let injected = Diagnosis([Suspect(.injectedFault, .proven)])

    /// The weight of the party that the table of failures names.
    private static let priorWeight = 1

    /// The likeliest suspect; `nil` if there is none.
    package var first: Suspect? { suspects.first }
}

/// The weights of the parties.
private struct Weights {
    /// The weight of a party, and the clue with the highest weight.
    private struct Entry {
        var weight = 0
        var best = 0
        var clue: Clue?
    }

    /// In the order in which they were named, which decides between equal weights.
    private var order: [Party] = []
    private var entries: [Party: Entry] = [:]

    mutating func add(_ party: Party, _ weight: Int, _ clue: Clue?) {
        if entries[party] == nil { order.append(party) }
        var entry = entries[party] ?? Entry()
        entry.weight += weight
        // A clue says more than the kind of failure.
        if weight > entry.best || weight == entry.best && entry.clue == nil {
            (entry.best, entry.clue) = (weight, clue)
        }
        entries[party] = entry
    }

    /// Removes a party; if it was the only one, the cause is unknown.
    mutating func exclude(_ party: Party) { order.removeAll { $0 == party } }

    var suspects: [Diagnosis.Suspect] {
        let ranked = order.compactMap { party in entries[party].map { (party, $0) } }.filter { $0.1.weight > 0 }
            .enumerated()
            .sorted { ($1.element.1.weight, $0.offset) < ($0.element.1.weight, $1.offset) }.map(\.element)
        guard let best = ranked.first?.1.weight else { return [] }
        let retained = ranked.prefix { best - $0.1.weight <= Diagnosis.margin }.prefix(Diagnosis.most)
        let strength = retained.count == 1 ? Diagnosis.Strength.likely : .possible
        return retained.map { Diagnosis.Suspect($0.0, strength, $0.1.clue) }
    }
}
