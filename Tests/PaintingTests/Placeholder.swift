// PaintingTests
