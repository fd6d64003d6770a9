// Pixels of three colours become three planes of float, from 0 to 1: first.c in C++17, with owners and exceptions.
#include <cstdio>
#include <sv.hpp>
#include <vector>

int main()
{
    // [first]
    const std::vector<std::uint8_t> pixels = {255, 51, 0, 0, 102, 0, 0, 153, 0, 0, 204, 0, 0, 255, 0, 255, 0, 51};
    std::vector<float> planes(18);

    try {
        const auto image = sv::view::of(pixels, {2, 3, 3});
        sv::copy_scaled(sv::view::of(planes, {3, 2, 3}), image.permute({2, 0, 1}), {1.0 / 255});
    } catch (const sv::error &error) {
        std::puts(error.what());
        return 1;
    }
    // [first]
    for (int row = 0; row < 2; row++)
        std::printf("green: %.1f %.1f %.1f\n", planes[6 + 3 * row], planes[7 + 3 * row], planes[8 + 3 * row]);
}
