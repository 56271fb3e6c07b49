// DecodeTests
