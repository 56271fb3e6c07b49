import Glibc

/// The token by which the program that started this one lets its window come to the front.
enum ActivationToken {
    private static let variable = "XDG_ACTIVATION_TOKEN"

    /// Takes the token out of the environment; nil if there is none.
    ///
    /// Only for the start of the program, while there is one thread.
    static func take() -> String? {
        guard let value = getenv(variable) else { return nil }
        let token = String(cString: value)
        unsetenv(variable)
        return token.isEmpty ? nil : token
    }
}
