// How alike the cells of one column are to those of another.
#pragma once

#include <nanobind/nanobind.h>

#include <charconv>
#include <stdexcept>

#include "levenshtein.hpp"

namespace jatdae::fields {

namespace nb = nanobind;

// What a cell may stand for.
struct Cell {
    Symbols likeliest;
    std::vector<Symbols> further;

    bool agrees(const Cell& other) const {
        return other.says(likeliest) ||
               std::any_of(further.begin(), further.end(), [&](const Symbols& text) { return other.says(text); });
    }
    bool says(const Symbols& text) const {
        return likeliest == text || std::find(further.begin(), further.end(), text) != further.end();
    }
};

class Alike {
public:
    Alike(nb::list ours, nb::list theirs) : ours_(read(ours)), theirs_(read(theirs)) {}

    std::size_t rows() const { return ours_.size(); }
    std::size_t columns() const { return theirs_.size(); }
    std::size_t characters() const { return characters(ours_) * characters(theirs_); }

    std::size_t longest() const {
        std::size_t most = 0;
        for (const Cells* cells : {&ours_, &theirs_})
            for (const Cell& cell : *cells) most = std::max(most, cell.likeliest.size());
        return most;
    }

    double operator()(std::size_t row, std::size_t column) {
        const Cell &a = ours_[row], &b = theirs_[column];
        if (a.agrees(b)) return 1.0;
        if (a.likeliest.empty() || b.likeliest.empty()) return 0.0;
        const std::size_t longer = std::max(a.likeliest.size(), b.likeliest.size());
        return 1.0 - double(levenshtein_.distance(a.likeliest, b.likeliest)) / double(longer);
    }

private:
    using Cells = std::vector<Cell>;

    static std::size_t characters(const Cells& cells) {
        std::size_t sum = 0;
        for (const Cell& cell : cells) sum += cell.likeliest.size();
        return sum;
    }

    Cells read(nb::list given) {
        Cells cells;
        cells.reserve(given.size());
        for (nb::handle cell : given) cells.push_back(read(cell.ptr()));
        return cells;
    }

    Cell read(PyObject* cell) {
        if (!PyTuple_Check(cell)) return {number(cell), {}};
        const Py_ssize_t size = PyTuple_GET_SIZE(cell);
        if (!size) throw std::invalid_argument("a cell needs a reading");
        Cell found{number(PyTuple_GET_ITEM(cell, 0)), {}};
        for (Py_ssize_t i = 1; i < size; ++i) found.further.push_back(number(PyTuple_GET_ITEM(cell, i)));
        return found;
    }

    Symbols number(PyObject* reading) {
        if (PyLong_CheckExact(reading)) {
            int beyond = 0;
            const long long whole = PyLong_AsLongLongAndOverflow(reading, &beyond);
            if (!beyond) return number(whole);
        }
        if (!PyUnicode_Check(reading)) throw std::invalid_argument("a reading is text, or a whole number below 2**63");
        const std::size_t size = PyUnicode_GET_LENGTH(reading);
        switch (PyUnicode_KIND(reading)) {
            case PyUnicode_1BYTE_KIND: return levenshtein_.number(PyUnicode_1BYTE_DATA(reading), size);
            case PyUnicode_2BYTE_KIND: return levenshtein_.number(PyUnicode_2BYTE_DATA(reading), size);
            default: return levenshtein_.number(PyUnicode_4BYTE_DATA(reading), size);
        }
    }

    Symbols number(long long whole) {
        char digits[24];
        return levenshtein_.number(digits, std::to_chars(digits, digits + sizeof digits, whole).ptr - digits);
    }

    Levenshtein levenshtein_;
    const Cells ours_, theirs_;
};

}  // namespace jatdae::fields
