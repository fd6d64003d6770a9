/*
 * An extension module that takes any array, in C++ with pybind11. It reads the standard DLPack structure, so it needs
 * dlpack/dlpack.h, of version 1 or later, besides.
 *
 *     c++ -std=c++17 -shared -fPIC $(python3 -m pybind11 --includes) -I<strideview.get_include()> -I<DLPack> \
 *         with_pybind11.cpp -o with_pybind11.so
 */
#include <pybind11/pybind11.h>

#include <dlpack/dlpack.h>

#include "strideview.h"

namespace py = pybind11;

static const strideview_api *sv;

/* An array, held for as long as this object lives. */
class Array
{
  public:
    explicit Array(py::handle object, uint32_t flags = 0)
        : view(sv->acquire(object.ptr(), flags | STRIDEVIEW_DLPACK, 0))
    {
        if (view == nullptr)
            throw py::error_already_set();
    }
    ~Array() { sv->view_release(view); }
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;

    /* Never null, because STRIDEVIEW_DLPACK was asked for. */
    const DLManagedTensorVersioned &tensor() const { return *sv->view_borrow(view); }
    bool is(uint32_t dtype) const { return sv->view_dtype(view) == dtype; }

    sv_view *const view;
};

/* Calls f with each element, in order. */
template <typename F> static void for_each(const DLTensor &t, double *at, int axis, const F &f)
{
    if (axis == t.ndim) {
        f(*at);
        return;
    }
    for (int64_t i = 0; i < t.shape[axis]; i++)
        for_each(t, at + i * t.strides[axis], axis + 1, f);
}

static void need_numbers(const Array &array)
{
    if (!array.is(SV_FLOAT64))
        throw py::type_error("float64 is needed");
}

static double total(py::handle object)
{
    Array array(object, STRIDEVIEW_HOST);
    double sum = 0;

    need_numbers(array);
    const DLTensor &tensor = array.tensor().dl_tensor;
    for_each(tensor, static_cast<double *>(tensor.data), 0, [&](const double &x) { sum += x; });
    return sum;
}

static void scale(py::handle object, double factor)
{
    Array array(object, STRIDEVIEW_HOST | STRIDEVIEW_WRITABLE);

    need_numbers(array);
    const DLTensor &tensor = array.tensor().dl_tensor;
    for_each(tensor, static_cast<double *>(tensor.data), 0, [&](double &x) { x *= factor; });
}

/* (address, shape, strides in bytes, dtype, readonly, device) */
static py::tuple facts(py::handle object)
{
    Array array(object);
    const DLManagedTensorVersioned &managed = array.tensor();
    const DLTensor &tensor = managed.dl_tensor;
    py::tuple shape(tensor.ndim), strides(tensor.ndim);
    char dtype[32];

    for (int i = 0; i < tensor.ndim; i++) {
        shape[i] = tensor.shape[i];
        strides[i] = tensor.strides[i] * (tensor.dtype.bits * tensor.dtype.lanes / 8);
    }
    sv->dtype_name(sv->view_dtype(array.view), sizeof dtype, dtype, nullptr);
    return py::make_tuple(reinterpret_cast<uintptr_t>(tensor.data), shape, strides, dtype,
                          (managed.flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0,
                          py::make_tuple(static_cast<int>(tensor.device.device_type), tensor.device.device_id));
}

/* A view with every axis the other way round. */
static py::object mirrored(py::handle object)
{
    Array array(object);
    sv_layout *layout = nullptr;
    sv_view *made = nullptr;
    sv_status status = sv->layout_flip(sv->view_layout(array.view), 0, nullptr, &layout);

    if (status == SV_OK)
        status = sv->view_with_layout(array.view, layout, &made);
    PyObject *result = status == SV_OK ? sv->view_object(made, object.ptr()) : sv->set_error(status);
    sv->view_release(made);
    sv->layout_release(layout);
    if (result == nullptr)
        throw py::error_already_set();
    return py::reinterpret_steal<py::object>(result);
}

PYBIND11_MODULE(with_pybind11, module)
{
    sv = strideview_import();
    if (sv == nullptr)
        throw py::error_already_set();
    module.def("total", total, "The sum of float64 elements.");
    module.def("scale", scale, "Multiply float64 elements in place.");
    module.def("facts", facts, "(address, shape, strides in bytes, dtype, readonly, device)");
    module.def("mirrored", mirrored, "A view with every axis the other way round.");
}
