#include "errors.h"

static void fail(j_common_ptr common) {
    jpeg_errors *errors = (jpeg_errors *)common->err;
    char text[JMSG_LENGTH_MAX];
    common->err->format_message(common, text);
    if (errors->length > 0) snprintf(errors->message, errors->length, "%s", text);
    longjmp(errors->escape, 1);
}

static void stay_silent(j_common_ptr common) { (void)common; }

struct jpeg_error_mgr *jpeg_errors_begin(jpeg_errors *errors, char *message, size_t length) {
    errors->message = message;
    errors->length = length;
    jpeg_std_error(&errors->manager);
    errors->manager.error_exit = fail;
    errors->manager.output_message = stay_silent;
    return &errors->manager;
}
