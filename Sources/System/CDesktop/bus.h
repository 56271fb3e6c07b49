// The connection to a message bus, which the files of this target share.
#ifndef BUS_H
#define BUS_H

#include "cdesktop.h"
#include "gio.h"

struct cdesktop_bus {
    GDBusConnection *connection;
    cdesktop_callback closed;
    void *owner;
    unsigned long closed_handler;
};

#endif
