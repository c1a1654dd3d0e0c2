// Python's way to plain rows: bytes of lines in, columns of texts out. The contract is in rows.py.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstring>

#include "rows_line.hpp"

namespace nb = nanobind;
using namespace jatdae;

namespace {

std::vector<std::string_view> views(const nb::tuple& names) {
    std::vector<std::string_view> out;
    for (nb::handle name : names) {
        Py_ssize_t size = 0;
        const char* text = PyUnicode_AsUTF8AndSize(name.ptr(), &size);
        if (!text) throw nb::python_error();
        out.emplace_back(text, std::size_t(size));
    }
    return out;
}

nb::object columns(const nb::bytes& lines, const nb::tuple& wanted, const nb::tuple& checked, const nb::tuple& refused) {
    const Fields fields{views(wanted), views(checked), views(refused)};
    if (fields.wanted.size() + fields.checked.size() >= 64) throw nb::value_error("at most 63 fields");
    const char *at = lines.c_str(), *end = at + lines.size();
    const Py_ssize_t rows = 1 + std::count(at, end, '\n');
    nb::object out = nb::steal(PyTuple_New(Py_ssize_t(fields.wanted.size())));
    for (std::size_t i = 0; i < fields.wanted.size(); ++i) {
        PyObject* column = PyList_New(rows);
        if (!column) throw nb::python_error();
        PyTuple_SET_ITEM(out.ptr(), Py_ssize_t(i), column);
    }

    Line line(fields);
    for (Py_ssize_t row = 0; row < rows; ++row) {
        const auto* stop = static_cast<const char*>(std::memchr(at, '\n', std::size_t(end - at)));
        if (!stop) stop = end;
        if (!line.read(at, stop)) return nb::none();
        for (std::size_t i = 0; i < fields.wanted.size(); ++i) {
            const std::string_view text = line.text(i);
            PyObject* made = PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), nullptr);
            if (!made) {
                if (!PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) throw nb::python_error();
                PyErr_Clear();
                return nb::none();
            }
            PyList_SET_ITEM(PyTuple_GET_ITEM(out.ptr(), Py_ssize_t(i)), row, made);
        }
        at = stop + 1;
    }
    return out;
}

}  // namespace

NB_MODULE(_rows, module) {
    module.def("columns", &columns, nb::arg("lines"), nb::arg("wanted"), nb::arg("checked"), nb::arg("refused"));
}
