// Codecs: to be filled.
