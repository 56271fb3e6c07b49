/// Allocates numbers for touch contacts: the smallest free one, unique across all seats.
final class ContactNumbers {
    private var used: Set<Int> = []

    func allocate() -> Int {
        var number = 0
        while used.contains(number) { number += 1 }
        used.insert(number)
        return number
    }

    func release(_ number: Int) {
        used.remove(number)
    }
}
