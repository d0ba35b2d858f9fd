import Failures
import Runtime

extension UserMessage {
    /// Names the suspects of a diagnosis, and what to do about the first one.
    ///
    /// Only a proven suspect is named as a fact.
    mutating func blame(_ diagnosis: Diagnosis, _ localizer: Localizer) {
        suspects = diagnosis.suspects
        guard let first = diagnosis.first else {
            blame = nil
            return
        }
        blame = localizer.sentence(about: diagnosis.suspects)
        if let fix = first.clue?.fix { setAdvice(fix, localizer) }
        guard let command = diagnosis.check else { return }
        let check = localizer(.tellApart, ["command": Reporter.sanitized(command, limit: 200)])
        // The advice of a cause that was diagnosed before has it already.
        guard advice?.contains(check) != true else { return }
        let last = adviceOfLast.map { [$0, check].joinedAsSentences() }
        advice = [advice, check].compactMap(\.self).joinedAsSentences()
        adviceOfLast = last
    }

    /// Names the party that certainly is at fault; `nil` if there is none.
    mutating func setParty(_ party: Party?, _ localizer: Localizer) {
        blame(Diagnosis(party.map { [Diagnosis.Suspect($0, .proven)] } ?? []), localizer)
    }
}

extension Localizer {
    /// Returns a sentence that names suspects; the first one decides its form.
    fileprivate func sentence(about suspects: [Diagnosis.Suspect]) -> String {
        let first = suspects[0]
        guard suspects.count > 1 else {
            let party = self(first.party.phrase)
            guard first.strength < .proven else { return self(.atFault, ["party": party]) }
            guard let reason = reason(first) else { return self(.probably, ["party": party]) }
            return self(.probablyBecause, ["party": party, "reason": reason])
        }
        let parties = suspects.map { self($0.party.phrase) }
        let reasons = suspects.map(reason)
        if let shared = reasons[0], reasons.allSatisfy({ $0 == shared }) {
            return self(.eitherBecause, ["suspects": parties.joined(separator: self(.eitherOr)), "reason": shared])
        }
        let names = zip(parties, reasons).map { party, reason in
            reason.map { self(.suspectBecause, ["party": party, "reason": $0]) } ?? party
        }
        return self(.either, ["suspects": names.joined(separator: self(.eitherOr))])
    }

    private func reason(_ suspect: Diagnosis.Suspect) -> String? { suspect.clue.map { text($0.reason) } }
}
