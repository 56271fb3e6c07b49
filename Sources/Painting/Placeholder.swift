// Painting: to be filled.
