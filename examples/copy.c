/*
 * Crop and mirror a picture and take its interleaved colours apart into three planes. libsv moves each byte once;
 * everything before is description.
 *
 *     copy IN.ppm OUT.pgm
 *
 * IN is a binary PPM (P6) of 8 bits a colour, from 0 to 255. OUT is a binary PGM (P5) with the red, the green and the
 * blue plane below one another.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <sv.h>

/* [copy] */
/* planes = pixels[top:bottom, ::-1].transpose(2, 0, 1) */
static sv_status mirrored_planes(uint8_t *pixels, int64_t height, int64_t width, int64_t top, int64_t bottom,
                                 uint8_t *planes)
{
    const int64_t interleaved[] = {height, width, 3}, planar[] = {3, bottom - top, width};
    const int64_t start[] = {top, INT64_MAX}, stop[] = {bottom, INT64_MIN}, step[] = {1, -1};
    const int32_t channels_first[] = {2, 0, 1};
    sv_view *whole = NULL, *mirrored = NULL, *source = NULL, *target = NULL;
    sv_status status;

    if ((status = sv_view_from_host(SV_UINT8, 3, interleaved, NULL, pixels, SV_READ_ONLY, &whole)) == SV_OK &&
        (status = sv_view_slice(whole, 2, start, stop, step, &mirrored)) == SV_OK &&
        (status = sv_view_permute(mirrored, 3, channels_first, &source)) == SV_OK &&
        (status = sv_view_from_host(SV_UINT8, 3, planar, NULL, planes, 0, &target)) == SV_OK)
        status = sv_copy(target, source, 0, 0);
    if (status != SV_OK)
        fprintf(stderr, "%s: %s\n", sv_status_name(status), sv_last_message());
    sv_view_release(target);
    sv_view_release(source);
    sv_view_release(mirrored);
    sv_view_release(whole);
    return status;
}
/* [copy] */

/* Three numbers with white space before and after each, of which one character follows the last. */
static int read_header(FILE *file, int *height, int *width)
{
    int largest = 0;

    if (fscanf(file, "P6%*[ \t\r\n]%6d%*[ \t\r\n]%6d%*[ \t\r\n]%6d", width, height, &largest) != 3)
        return 0;
    return *width > 0 && *height > 0 && largest == 255 && isspace(fgetc(file));
}

static uint8_t *read_picture(const char *path, int *height, int *width)
{
    FILE *file = fopen(path, "rb");
    uint8_t *pixels = NULL;

    if (file == NULL) {
        perror(path);
        return NULL;
    }
    if (!read_header(file, height, width)) {
        fprintf(stderr, "%s: not a binary PPM of 8 bits a colour\n", path);
    } else {
        size_t nbytes = (size_t)*height * (size_t)*width * 3;

        pixels = malloc(nbytes);
        if (pixels == NULL || fread(pixels, 1, nbytes, file) != nbytes) {
            fprintf(stderr, "%s: cannot read %zu bytes of picture\n", path, nbytes);
            free(pixels);
            pixels = NULL;
        }
    }
    fclose(file);
    return pixels;
}

static int write_planes(const char *path, const uint8_t *planes, int height, int width)
{
    size_t nbytes = (size_t)height * (size_t)width * 3;
    FILE *file = fopen(path, "wb");
    int good;

    if (file == NULL) {
        perror(path);
        return 0;
    }
    good = fprintf(file, "P5\n%d %d\n255\n", width, 3 * height) > 0 && fwrite(planes, 1, nbytes, file) == nbytes;
    if (fclose(file) != 0 || !good) {
        perror(path);
        return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    int height, width, top, bottom, good = 0;
    uint8_t *pixels, *planes;

    if (argc != 3) {
        fprintf(stderr, "usage: copy IN.ppm OUT.pgm\n");
        return 2;
    }
    pixels = read_picture(argv[1], &height, &width);
    if (pixels == NULL)
        return 1;
    top = height / 8;
    bottom = height - height / 8;
    planes = malloc((size_t)(bottom - top) * (size_t)width * 3);
    if (planes == NULL)
        fprintf(stderr, "no memory for the planes\n");
    else if (mirrored_planes(pixels, height, width, top, bottom, planes) == SV_OK)
        good = write_planes(argv[2], planes, bottom - top, width);
    free(planes);
    free(pixels);
    return good ? 0 : 1;
}
