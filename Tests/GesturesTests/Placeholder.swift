// GesturesTests
