/*
 * Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such, as numbers of
 * another type. What is in the other folders here with a main file is the same program.
 *
 *     cc main.c $(pkg-config --cflags --libs strideview) && ./a.out
 */
#include <stdio.h>
#include <sv.h>

static int complains(sv_status status)
{
    if (status != SV_OK)
        printf("%s: %s\n", sv_status_name(status), sv_last_message());
    return status != SV_OK;
}

int main(void)
{
    const int64_t interleaved[] = {2, 2, 3}, planar[] = {3, 2, 2};
    const int32_t colours_first[] = {2, 0, 1};
    uint8_t pixels[12];
    float planes[12];
    sv_view *picture = NULL, *source = NULL, *target = NULL;
    int failed;

    for (int i = 0; i < 12; i++)
        pixels[i] = (uint8_t)i;
    failed = complains(sv_view_from_host(SV_UINT8, 3, interleaved, NULL, pixels, SV_READ_ONLY, &picture)) ||
             complains(sv_view_permute(picture, 3, colours_first, &source)) ||
             complains(sv_view_from_host(SV_FLOAT32, 3, planar, NULL, planes, 0, &target));
    if (!failed) {
        complains(sv_copy(target, source, 0, 0)); /* which says what is missing */
        failed = complains(sv_copy(target, source, SV_COPY_CAST, 0));
    }
    for (int i = 0; !failed && i < 12; i++)
        printf("%s%g%s", i ? ", " : "[", planes[i], i < 11 ? "" : "]\n");
    sv_view_release(target);
    sv_view_release(source);
    sv_view_release(picture);
    return failed;
}
