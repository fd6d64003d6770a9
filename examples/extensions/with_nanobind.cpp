/*
 * An extension module that takes any array, in C++ with nanobind. It is compiled together with nanobind's own
 * src/nb_combined.cpp, or by nanobind's CMake rules, with -I<strideview.get_include()>.
 */
#include <nanobind/nanobind.h>

#include "strideview.h"

namespace nb = nanobind;

static const strideview_api *sv;

/* An array, held for as long as this object lives. */
class Array
{
  public:
    explicit Array(nb::handle object, uint32_t flags = 0) : view(sv->acquire(object.ptr(), flags, 0))
    {
        if (view == nullptr)
            nb::raise_python_error();
        layout = sv->view_layout(view);
    }
    ~Array() { sv->view_release(view); }
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;

    int ndim() const { return sv->layout_ndim(layout); }
    const int64_t *shape() const { return sv->layout_shape(layout); }
    const int64_t *strides() const { return sv->layout_byte_strides(layout); }
    char *data() const { return static_cast<char *>(sv->view_data(view)); }

    /* Calls f with each float64, in order. */
    template <typename F> void for_each(const F &f) const
    {
        if (sv->view_dtype(view) != SV_FLOAT64)
            throw nb::type_error("float64 is needed");
        walk(data(), 0, f);
    }

    sv_view *const view;
    const sv_layout *layout;

  private:
    template <typename F> void walk(char *at, int axis, const F &f) const
    {
        if (axis == ndim()) {
            f(*reinterpret_cast<double *>(at));
            return;
        }
        for (int64_t i = 0; i < shape()[axis]; i++)
            walk(at + i * strides()[axis], axis + 1, f);
    }
};

static double total(nb::handle object)
{
    double sum = 0;

    Array(object, STRIDEVIEW_HOST).for_each([&](const double &x) { sum += x; });
    return sum;
}

static void scale(nb::handle object, double factor)
{
    Array(object, STRIDEVIEW_HOST | STRIDEVIEW_WRITABLE).for_each([&](double &x) { x *= factor; });
}

static nb::tuple tuple(const int64_t *values, int count)
{
    nb::list list;

    for (int i = 0; i < count; i++)
        list.append(values[i]);
    return nb::tuple(list);
}

/* (address, shape, strides in bytes, dtype, readonly, device) */
static nb::tuple facts(nb::handle object)
{
    Array array(object);
    char dtype[32];

    sv->dtype_name(sv->view_dtype(array.view), sizeof dtype, dtype, nullptr);
    return nb::make_tuple(reinterpret_cast<uintptr_t>(array.data()), tuple(array.shape(), array.ndim()),
                          tuple(array.strides(), array.ndim()), static_cast<const char *>(dtype),
                          sv->view_is_readonly(array.view) != 0,
                          nb::make_tuple(sv->view_device_type(array.view), sv->view_device_id(array.view)));
}

/* A view with every axis the other way round. */
static nb::object mirrored(nb::handle object)
{
    Array array(object);
    sv_layout *layout = nullptr;
    sv_view *made = nullptr;
    sv_status status = sv->layout_flip(array.layout, 0, nullptr, &layout);

    if (status == SV_OK)
        status = sv->view_with_layout(array.view, layout, &made);
    PyObject *result = status == SV_OK ? sv->view_object(made, object.ptr()) : sv->set_error(status);
    sv->view_release(made);
    sv->layout_release(layout);
    if (result == nullptr)
        nb::raise_python_error();
    return nb::steal(result);
}

NB_MODULE(with_nanobind, module)
{
    sv = strideview_import();
    if (sv == nullptr)
        nb::raise_python_error();
    module.def("total", total, "The sum of float64 elements.");
    module.def("scale", scale, "Multiply float64 elements in place.");
    module.def("facts", facts, "(address, shape, strides in bytes, dtype, readonly, device)");
    module.def("mirrored", mirrored, "A view with every axis the other way round.");
}
