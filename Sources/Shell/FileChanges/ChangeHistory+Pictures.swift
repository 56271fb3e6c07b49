import ImageWire

extension ChangeHistory {
    /// The step of a picture with those of its companions, by their numbers; or another step alone.
    struct Group: Hashable, Sendable {
        let picture: Int
        var companions: [Int] = []
    }
}

extension ChangeHistory.Batch {
    /// What steps are about if companions can have the same; nil for other steps.
    private enum Subject: Hashable {
        case appeared([UInt8])
        case trashed([UInt8])
        case moved([UInt8], [UInt8])

        init?(_ change: FileChange) {
            switch change {
            case .appeared(let path): self = .appeared(path)
            case .trashed(let path, _): self = .trashed(path)
            case .moved(let from, let to): self = .moved(from, to)
            case .replaced, .wrote: return nil
            }
        }

        /// The same for the companions of a picture.
        var companions: [Subject] {
            switch self {
            case .appeared(let path): CompanionNames.all(of: path).map { .appeared($0) }
            case .trashed(let path): CompanionNames.all(of: path).map { .trashed($0) }
            case .moved(let from, let to):
                zip(CompanionNames.all(of: from), CompanionNames.all(of: to)).map { .moved($0, $1) }
            }
        }
    }

    /// The steps that are undone, or those that are not, in the order of the pictures.
    func groups(isUndone: Bool) -> [ChangeHistory.Group] {
        let numbers = steps.indices.filter { steps[$0].isUndone == isUndone }
        var places: [Subject: Int] = [:]
        for number in numbers {
            if let subject = Subject(steps[number].change) { places[subject] = number }
        }
        var companions: [Int: [Int]] = [:]
        for number in numbers {
            guard let subject = Subject(steps[number].change) else { continue }
            companions[number] = subject.companions.compactMap { places[$0] }
        }
        let followers = Set(companions.values.joined())
        return numbers.filter { !followers.contains($0) }.map {
            ChangeHistory.Group(picture: $0, companions: companions[$0] ?? [])
        }
    }

    /// What it is for a person to undo or redo these groups.
    func outcome(
        ofReversing groups: [ChangeHistory.Group], isRedo: Bool
    ) -> BatchReversal.Outcome {
        let isDeletion = groups.allSatisfy { group in
            switch steps[group.picture].change {
            case .trashed: !isRedo
            // A step that was undone, and which was a deletion before.
            case .appeared: isRedo
            default: false
            }
        }
        guard isDeletion, !groups.isEmpty else { return .other }
        return isRedo ? .trashed : .restored
    }
}
