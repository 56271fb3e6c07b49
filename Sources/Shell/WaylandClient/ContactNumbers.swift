/// Allocates numbers for touch contacts: the smallest free one, unique across all seats.
final class ContactNumbers {
    private var taken: Set<Int> = []

    func take() -> Int {
        var number = 0
        while taken.contains(number) { number += 1 }
        taken.insert(number)
        return number
    }

    func giveBack(_ number: Int) {
        taken.remove(number)
    }
}
