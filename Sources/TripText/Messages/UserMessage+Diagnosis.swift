package import Failures
import FleetTokens
import Runtime

extension UserMessage {
    /// Names the suspects of a diagnosis, and what to do about the first one.
    ///
    /// Only a proven suspect is named as a fact.
    mutating func blame(_ diagnosis: Diagnosis, _ localizer: Localizer) {
        suspects = diagnosis.suspects
        guard let first = diagnosis.first else {
            let unknown = localizer(.causeUnknown)
            blame = diagnosis.isUnknown && advice?.contains(unknown) != true ? unknown : nil
            return
        }
        guard first.party != .injectedFault else {
            // The advice of the failure is about the party that it imitates, which is innocent.
            (blame, advice) = (nil, nil)
            guard !localizer.hidesFaults else { return }
            blame = localizer(.injectedBlame)
            setAdvice(.injectedAdvice, localizer)
            return
        }
        blame = localizer.sentence(about: diagnosis.suspects)
        if let fix = first.clue?.fix { setAdvice(fix, localizer) }
        guard let command = diagnosis.check else { return }
        let check = localizer(.distinguishCauses(command: Reporter.sanitized(command, limit: 200)))
        // The advice of a cause that was diagnosed before has it already.
        guard advice?.contains(check) != true else { return }
        let last = adviceOfLast.map { [$0, check].joinedAsSentences() }
        advice = [advice, check].compactMap(\.self).joinedAsSentences()
        adviceOfLast = last
    }

    /// Names the reason that the service gives, or else the possible causes of a refusal that no check refutes, with a command for a
    /// token that was not inspected.
    ///
    /// - Parameters:
    ///   - failure: The failure; without possible causes in the table, its advice stays.
    ///   - ruledOut: Causes that the request excludes.
    ///   - localizer: The language.
    mutating func advise(about failure: Failure, ruledOut: Set<PossibleCause> = [], _ localizer: Localizer) {
        let status = (failure.answer?.answerStatus ?? failure.rejection)?.httpStatus
        let causes = failure.possibleCauses(status: status)?.filter { !ruledOut.contains($0) }
        if let reason = failure.namedReason {
            // The table has advice about the problems of a project.
            guard causes != nil || reason.party != failure.party else { return }
            advice = localizer(.namedReason(reason: reason.rawValue))
            return
        }
        guard let words = causes?.map({ localizer.text($0.text) }) else { return }
        guard let last = words.last else {
            advice = localizer(.causeUnknown)
            return
        }
        let others = words.dropLast().joined(separator: localizer(.listComma))
        let list = [others, last].filter { !$0.isEmpty }.joined(separator: localizer(.eitherOr))
        let isInspected = failure.satisfiedRules != nil || words.count == 1
        advice = [localizer(.possibleCauses(causes: list)), isInspected ? nil : localizer(.inspectShows)]
            .compactMap(\.self).joinedAsSentences()
    }

    /// Says that an injected fault explains what happened, and names it.
    ///
    /// - Parameters:
    ///   - fault: The fault; `nil` if there is none.
    ///   - localizer: The language.
    mutating func attribute(to fault: InjectedFault?, _ localizer: Localizer) {
        // The message about the cause of another failure may have named it.
        guard let fault, self.fault != fault, !localizer.hidesFaults else { return }
        let name = Reporter.sanitized(fault.name, limit: 80)
        short = localizer(.injectedShort(what: short))
        what = localizer(fault.isSent ? .injectedWhat(name: name, what: what) : .injectedUnsent(name: name, what: what))
        self.fault = fault
    }

    /// Says that an injected fault explains what happened, and blames nothing else.
    package mutating func explain(by fault: InjectedFault, _ localizer: Localizer = .english) {
        blame(.injected, localizer)
        attribute(to: fault, localizer)
    }

    /// Names the party that certainly is at fault; `nil` if there is none.
    mutating func setParty(_ party: Party?, _ localizer: Localizer) {
        blame(Diagnosis(party.map { [Diagnosis.Suspect($0, .proven)] } ?? []), localizer)
    }
}

extension Localizer {
    /// Returns a remark in brackets that names an injected fault; empty without one, and if faults are not mentioned.
    package func remark(about fault: InjectedFault?) -> String {
        guard let fault, !hidesFaults else { return "" }
        return self(.findingInjected(name: Reporter.sanitized(fault.name, limit: 80)))
    }

    /// Returns a sentence that names suspects; the first one decides its form.
    fileprivate func sentence(about suspects: [Diagnosis.Suspect]) -> String {
        let first = suspects[0]
        guard suspects.count > 1 else {
            let party = self(first.party.phrase)
            guard first.strength < .proven else { return self(.atFault(party: party)) }
            guard let reason = reason(first) else { return self(.probably(party: party)) }
            return self(.probablyBecause(party: party, reason: reason))
        }
        let parties = suspects.map { self($0.party.phrase) }
        let reasons = suspects.map(reason)
        if let shared = reasons[0], reasons.allSatisfy({ $0 == shared }) {
            return self(.eitherBecause(suspects: parties.joined(separator: self(.eitherOr)), reason: shared))
        }
        let names = zip(parties, reasons).map { party, reason in
            reason.map { self(.suspectBecause(party: party, reason: $0)) } ?? party
        }
        return self(.either(suspects: names.joined(separator: self(.eitherOr))))
    }

    private func reason(_ suspect: Diagnosis.Suspect) -> String? { suspect.clue.map { text($0.reason) } }
}
