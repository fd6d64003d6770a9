/*
 * What fuzz targets share. A target defines fuzz_name and LLVMFuzzerTestOneInput(); libFuzzer or driver.c gives it
 * inputs. What it checks it checks by fuzz_check(), which ends the program.
 */
#ifndef SV_FUZZ_H
#define SV_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sv.h"

extern const char fuzz_name[];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says what is wrong and aborts unless ok. */
void fuzz_check(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bytes to read numbers from; 0 when there are no more. */
struct fuzz_input {
    const uint8_t *at, *end;
};

uint8_t fuzz_byte(struct fuzz_input *in);
/* Mostly small, at times any, at times near a power of two or an end of int64. */
int64_t fuzz_number(struct fuzz_input *in);
/* low to high, few values apart */
int64_t fuzz_between(struct fuzz_input *in, int64_t low, int64_t high);
/* Of any kind: mostly small, at times empty, huge or of 64 axes. NULL when libsv refuses it. */
sv_layout *fuzz_layout(struct fuzz_input *in);

/* Byte offset of the element that is index-th in C order. */
int64_t fuzz_offset(const sv_layout *layout, int64_t index);

/* Whether status is one of count. */
bool fuzz_one_of(sv_status status, int count, const sv_status *statuses);

#endif
