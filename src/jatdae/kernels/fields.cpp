// Python's door to the loops of a comparison field by field. The contract is in fields.py.
#include "fields_alike.hpp"
#include "fields_survey.hpp"
#include "fields_tally.hpp"

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

std::size_t add_similarities(nb::handle total, nb::list rows, nb::list ours, nb::list theirs, std::size_t most) {
    Alike alike(ours, theirs);
    const Matrix matrix(total);
    if (rows.size() != alike.rows() || !matrix.has_columns(alike.columns()))
        throw std::invalid_argument("a matrix of doubles with a row for each of our cells and a column for theirs");
    if (alike.characters() > most) return alike.characters();
    for (std::size_t i = 0; i < alike.rows(); ++i) {
        double* row = matrix.row(nb::cast<std::size_t>(rows[i]));
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
