// How large a JSON value is, and what in it needs a closer look.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

namespace jatdae::fields {

namespace nb = nanobind;

// One level after the other, so that depth costs no stack and a walk that is given up has seen whole levels.
class Survey {
public:
    Survey(Py_ssize_t most_depth, Py_ssize_t most_values) : most_depth_(most_depth), most_values_(most_values) {}

    nb::tuple of(nb::handle value) {
        visit(value.ptr());
        for (Py_ssize_t depth = 1; !below_.empty(); ++depth) {
            deeper_ = depth > most_depth_;
            if (deeper_ || values_ > most_values_) break;
            std::vector<PyObject*> level;
            level.swap(below_);
            for (PyObject* container : level) open(container);
        }
        return nb::make_tuple(values_, characters_, deeper_, named_, halves_, special_, others_);
    }

private:
    void open(PyObject* container) {
        if (PyDict_Check(container)) {
            PyObject *key, *value;
            for (Py_ssize_t at = 0; PyDict_Next(container, &at, &key, &value);) {
                if (PyUnicode_Check(key)) read(key);
                else named_ = false;
                visit(value);
            }
            values_ += PyDict_GET_SIZE(container);
        } else {
            for (Py_ssize_t i = 0; i < PyList_GET_SIZE(container); ++i) visit(PyList_GET_ITEM(container, i));
            values_ += PyList_GET_SIZE(container);
        }
    }

    void visit(PyObject* item) {
        if (PyUnicode_CheckExact(item)) {
            read(item);
        } else if (PyDict_Check(item) || PyList_Check(item)) {
            below_.push_back(item);
            if (!PyDict_CheckExact(item) && !PyList_CheckExact(item)) special_.append(nb::handle(item));
        } else if (!PyLong_CheckExact(item) && !PyBool_Check(item) && item != Py_None) {
            others_.append(nb::handle(item));
        }
    }

    void read(PyObject* text) {
        const Py_ssize_t size = PyUnicode_GET_LENGTH(text);
        characters_ += size;
        if (PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND) look_for_halves(PyUnicode_2BYTE_DATA(text), size);
        if (PyUnicode_KIND(text) == PyUnicode_4BYTE_KIND) look_for_halves(PyUnicode_4BYTE_DATA(text), size);
    }

    template <class Character>
    void look_for_halves(const Character* text, Py_ssize_t size) {
        for (Py_ssize_t i = 0; i < size; ++i) halves_ |= (text[i] & ~Character{0x7ff}) == 0xd800;
    }

    const Py_ssize_t most_depth_, most_values_;
    Py_ssize_t values_ = 1, characters_ = 0;
    bool deeper_ = false, named_ = true, halves_ = false;
    nb::list special_, others_;
    std::vector<PyObject*> below_;
};

}  // namespace jatdae::fields
