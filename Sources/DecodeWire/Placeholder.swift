// DecodeWire: to be filled.
