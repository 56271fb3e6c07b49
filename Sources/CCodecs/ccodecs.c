/* Shims over the decoding libraries: whatever needs setjmp stays in C. */
