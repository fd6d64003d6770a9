/* Tuning from a file. */
#ifndef SVI_HOST_MACHINE_TUNING_FILE_H
#define SVI_HOST_MACHINE_TUNING_FILE_H

#include "host/base/tuning.h"

/* out is base where the text does not say otherwise. */
struct svi_tuning_fault svi_tuning_parse(const char *text, const struct svi_tuning *base, struct svi_tuning *out);
struct svi_tuning_fault svi_tuning_read(const char *path, const struct svi_tuning *base, struct svi_tuning *out);

#endif
