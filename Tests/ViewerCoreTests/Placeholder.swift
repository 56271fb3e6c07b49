// ViewerCoreTests
