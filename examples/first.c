/* Pixels of three colours become three planes of float32, from 0 to 1. Nothing is copied but by sv_copy_scaled(). */
#include <stdio.h>
#include <sv.h>

int main(void)
{
    uint8_t pixels[2][3][3] = {{{255, 51, 0}, {0, 102, 0}, {0, 153, 0}}, {{0, 204, 0}, {0, 255, 0}, {255, 0, 51}}};
    float planes[3][2][3];
    /* [first] */
    const int64_t rows_columns_colours[] = {2, 3, 3}, colours_rows_columns[] = {3, 2, 3};
    sv_view *image = NULL, *source = NULL, *target = NULL;
    int failed = sv_view_from_host(SV_UINT8, 3, rows_columns_colours, NULL, pixels, SV_READ_ONLY, &image) ||
                 sv_view_permute(image, 3, (int32_t[]){2, 0, 1}, &source) ||
                 sv_view_from_host(SV_FLOAT32, 3, colours_rows_columns, NULL, planes, 0, &target) ||
                 sv_copy_scaled(target, source, (double[]){1.0 / 255}, 1, NULL, 0, 0, 0, 0);

    puts(failed ? sv_last_message() : "three planes");
    sv_view_release(target);
    sv_view_release(source);
    sv_view_release(image);
    /* [first] */
    for (int row = 0; !failed && row < 2; row++)
        printf("green: %.1f %.1f %.1f\n", planes[1][row][0], planes[1][row][1], planes[1][row][2]);
    return failed;
}
