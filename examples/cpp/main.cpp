// Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such, as numbers of
// another type.
//
//     c++ -std=c++17 main.cpp $(pkg-config --cflags --libs strideview) && ./a.out
#include <iostream>
#include <numeric>
#include <sv.hpp>
#include <vector>

int main()
{
    std::vector<uint8_t> pixels(12);
    std::vector<float> planes(12);
    std::iota(pixels.begin(), pixels.end(), uint8_t(0));

    const auto source = sv::view::of(pixels, {2, 2, 3}).permute({2, 0, 1});
    const auto target = sv::view::of(planes, {3, 2, 2});
    try {
        sv::copy(target, source);
    } catch (const sv::error &error) { // which says what is missing
        std::cout << sv_status_name(error.status()) << ": " << error.what() << '\n';
    }
    sv::copy(target, source, SV_COPY_CAST);
    for (size_t i = 0; i < planes.size(); i++)
        std::cout << (i ? ", " : "[") << planes[i];
    std::cout << "]\n";
}
