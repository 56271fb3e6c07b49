// InputTests
