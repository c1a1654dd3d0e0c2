// Python's door to the loops of a comparison field by field. The contract is in fields.py.
#include "fields_alike.hpp"
#include "fields_survey.hpp"
#include "fields_tally.hpp"

#include <nanobind/stl/optional.h>

using namespace jatdae::fields;

namespace {

// A matrix of Python's, to be written to.
class Matrix {
public:
    explicit Matrix(nb::handle given) {
        if (PyObject_GetBuffer(given.ptr(), &view_, PyBUF_CONTIG | PyBUF_FORMAT)) throw nb::python_error();
    }
    ~Matrix() { PyBuffer_Release(&view_); }
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;

    bool has_columns(std::size_t count) const {
        return view_.ndim == 2 && std::string(view_.format) == "d" && std::size_t(view_.shape[1]) == count;
    }
    double* row(std::size_t number) const {
        if (number >= std::size_t(view_.shape[0])) throw std::invalid_argument("the matrix has no such row");
        return static_cast<double*>(view_.buf) + number * std::size_t(view_.shape[1]);
    }

private:
    Py_buffer view_;
};

nb::tuple survey(nb::handle value, Py_ssize_t most_depth, Py_ssize_t most_values) {
    return Survey(most_depth, most_values).of(value);
}

constexpr std::size_t kLong = 500;  // characters from which rapidfuzz is the quicker

std::vector<std::size_t> indices(nb::list given) {
    std::vector<std::size_t> out;
    out.reserve(given.size());
    for (nb::handle index : given) {
        const Py_ssize_t number = PyLong_CheckExact(index.ptr()) ? PyLong_AsSsize_t(index.ptr()) : -1;
        PyErr_Clear();
        if (number < 0) throw std::invalid_argument("the number of a row is a whole number from 0");
        out.push_back(std::size_t(number));
    }
    return out;
}

// All of Python's values are read, and none can run code of its own, before the matrix is touched.
std::optional<std::size_t> add_similarities(
    nb::handle total, nb::list rows, nb::list ours, nb::list theirs, std::size_t most) {
    Alike alike(ours, theirs);
    const std::vector<std::size_t> places = indices(rows);
    const Matrix matrix(total);
    if (places.size() != alike.rows() || !matrix.has_columns(alike.columns()))
        throw std::invalid_argument("a matrix of doubles with a row for each of our cells and a column for theirs");
    if (alike.characters() > most) return alike.characters();
    if (alike.longest() >= kLong) return std::nullopt;
    for (std::size_t i = 0; i < alike.rows(); ++i) {
        double* row = matrix.row(places[i]);
        for (std::size_t j = 0; j < alike.columns(); ++j) row[j] += alike(i, j);
    }
    return alike.characters();
}

nb::tuple tally(nb::list rows) {
    Tally tally;
    tally.add(rows);
    return tally.result();
}

}  // namespace

NB_MODULE(_fields, module) {
    module.def("survey", &survey, nb::arg("value").none(), nb::arg("most_depth"), nb::arg("most_values"));
    module.def("add_similarities", &add_similarities);
    module.def("tally", &tally);
}
