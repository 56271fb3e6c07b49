// PNG by libspng, which needs no shim.
#ifndef CCODECS_PNG_H
#define CCODECS_PNG_H

#include <spng.h>

#endif
