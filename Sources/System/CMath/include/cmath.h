/*
 * The mathematics that the pure core uses, and nothing else of the C library.
 *
 * Swift's own module for C (Glibc, Musl) brings files, clocks and threads along; the core imports this
 * one instead, so that the compiler keeps those out.
 */
#ifndef CMATH_H
#define CMATH_H

double atan2(double y, double x);
double cos(double angle);
double exp(double exponent);
double exp2(double exponent);
double expm1(double exponent);
double hypot(double x, double y);
double log(double number);
double log2(double number);
double sin(double angle);

#endif
