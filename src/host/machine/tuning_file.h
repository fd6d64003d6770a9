/* Reads tuning from a text or a file, the one that SV_HOST_TUNING names. tuning.h has the format. */
#ifndef SVI_HOST_MACHINE_TUNING_FILE_H
#define SVI_HOST_MACHINE_TUNING_FILE_H

#include "host/base/tuning.h"

/* Reads a text. Fields that it does not set have their value in base. */
struct svi_tuning_fault svi_tuning_parse(const char *text, const struct svi_tuning *base, struct svi_tuning *out);

/* Reads a file. */
struct svi_tuning_fault svi_tuning_read(const char *path, const struct svi_tuning *base, struct svi_tuning *out);

#endif
