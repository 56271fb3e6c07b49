// DecodeClient: to be filled.
