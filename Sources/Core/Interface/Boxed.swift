/// An optional value that is stored outside of its owner's own memory.
///
/// An owner of large values that are seldom there stays small, so that copies of the owner cost little:
/// the models are copied for every event. `isNil` of the projected value tells whether there is a value
/// without copying one; what every event or frame asks tests that first.
@propertyWrapper
package struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Empty or one value: an array shares its memory with its copies until one of them changes.
    private var storage: [Value] = []

    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    package var wrappedValue: Value? {
        get { storage.first }
        set {
            guard let newValue else { return storage = [] }
            if storage.isEmpty { storage = [newValue] } else { storage[0] = newValue }
        }
    }

    package var projectedValue: Self { self }

    package var isNil: Bool { storage.isEmpty }
}
