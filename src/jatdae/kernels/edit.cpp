// Python bindings of the alignment: two texts in, counts or runs out. The contract is in edit.py.
#include <nanobind/nanobind.h>

#include <array>
#include <memory>
#include <optional>

#include "edit.hpp"

namespace nb = nanobind;
using namespace jatdae;

namespace {

// Code points as small numbers from 1, found by pages of 256: tables stay small, and all of Unicode fits.
class Alphabet {
public:
    Alphabet() : symbols_(256, 0) {}
    void clear() {
        for (const std::uint32_t page : seen_) pages_[page] = 0;
        seen_.clear();
        symbols_.resize(256);
        size_ = 1;
    }
    Symbol symbol(std::uint32_t code_point) {
        const Symbol known = symbols_[place(code_point)];
        return known ? known : add(code_point);
    }
    Index size() const { return size_; }

private:
    std::array<std::uint32_t, 0x1100> pages_{};  // where in symbols_; page 0 is of zeros, for those not seen
    std::vector<std::uint32_t> seen_;
    std::vector<Symbol> symbols_;
    Symbol size_ = 1;

    std::size_t place(std::uint32_t code_point) const { return pages_[code_point >> 8] * 256 + (code_point & 255); }

    Symbol add(std::uint32_t code_point) {
        if (pages_[code_point >> 8] == 0) {
            seen_.push_back(code_point >> 8);
            pages_[code_point >> 8] = std::uint32_t(seen_.size());
            symbols_.resize((seen_.size() + 1) * 256, 0);
        }
        return symbols_[place(code_point)] = size_++;
    }
};

struct Workspace {
    Alphabet alphabet;
    Scratch scratch;
};

template <class Character>
Padded number(const void* text, Index size, Alphabet& alphabet) {
    Padded out(size + 2 * kPadding);
    for (Index i = 0; i < size; ++i) out[kPadding + i] = alphabet.symbol(static_cast<const Character*>(text)[i]);
    return out;
}

Padded number_characters(nb::handle text, Alphabet& alphabet) {
    const void* data = PyUnicode_DATA(text.ptr());
    const Index size = PyUnicode_GET_LENGTH(text.ptr());
    switch (PyUnicode_KIND(text.ptr())) {
        case PyUnicode_1BYTE_KIND: return number<Py_UCS1>(data, size, alphabet);
        case PyUnicode_2BYTE_KIND: return number<Py_UCS2>(data, size, alphabet);
        default: return number<Py_UCS4>(data, size, alphabet);
    }
}

// Hashing and comparing items may run any code, this module's included: it works on a copy of them and shares nothing.
Padded number_items(nb::handle items, nb::dict& seen) {
    const nb::object copy = nb::steal(PySequence_Tuple(items.ptr()));
    if (!copy.is_valid()) throw nb::python_error();
    const Index size = PyTuple_GET_SIZE(copy.ptr());
    Padded out(size + 2 * kPadding);
    for (Index i = 0; i < size; ++i) {
        PyObject* item = PyTuple_GET_ITEM(copy.ptr(), i);
        PyObject* known = PyDict_GetItemWithError(seen.ptr(), item);
        if (!known && !PyErr_Occurred()) {
            // What it returns counts, not `next`: an item may change its mind and equal an earlier one after all.
            const nb::object next = nb::steal(PyLong_FromSsize_t(PyDict_GET_SIZE(seen.ptr())));
            known = PyDict_SetDefault(seen.ptr(), item, next.ptr());
        }
        if (!known) throw nb::python_error();
        out[kPadding + i] = Symbol(PyLong_AsUnsignedLong(known));
    }
    return out;
}

std::vector<Piece> align(nb::handle prediction, nb::handle reference, Index steps) {
    // By pointer: the address of a thread's own object would be looked up again for every character.
    thread_local const auto workspace = std::make_unique<Workspace>();
    Alphabet& alphabet = workspace->alphabet;
    Padded r, p;
    Index symbols;
    if (PyUnicode_Check(prediction.ptr()) && PyUnicode_Check(reference.ptr())) {
        alphabet.clear();
        r = number_characters(reference, alphabet);
        p = number_characters(prediction, alphabet);
        symbols = alphabet.size();
    } else {
        nb::dict seen;
        r = number_items(reference, seen);
        p = number_items(prediction, seen);
        symbols = PyDict_GET_SIZE(seen.ptr());
    }
    const Index size = Index(r.size() + p.size());
    if (size > kFar) throw nb::value_error("texts of more than 500 million symbols cannot be aligned");

    std::optional<nb::gil_scoped_release> others_may_run;
    if (size > 1024) others_may_run.emplace();
    Scratch own;  // long texts give their memory back
    return Aligner(r, p, symbols, steps, size > 1 << 14 ? own : workspace->scratch).run();
}

nb::tuple counts(nb::handle prediction, nb::handle reference, Index steps) {
    Index sums[4] = {};
    for (const Piece& piece : align(prediction, reference, steps)) sums[piece.kind] += piece.size;
    return nb::make_tuple(sums[kEqual], sums[kReplace], sums[kDelete], sums[kInsert]);
}

nb::list runs(nb::handle prediction, nb::handle reference, Index steps) {
    const nb::str names[4] = {nb::str("equal"), nb::str("replace"), nb::str("delete"), nb::str("insert")};
    nb::list out;
    Index i = 0, j = 0;
    for (const Piece& piece : align(prediction, reference, steps)) {
        const Index i_end = i + (piece.kind == kInsert ? 0 : piece.size);
        const Index j_end = j + (piece.kind == kDelete ? 0 : piece.size);
        out.append(nb::make_tuple(names[piece.kind], i, i_end, j, j_end));
        i = i_end;
        j = j_end;
    }
    return out;
}

constexpr Index kUnlimited = std::numeric_limits<Index>::max();

// What `ask` returns, or None where that takes more than `steps`.
template <auto ask>
nb::object unless_too_far(nb::handle prediction, nb::handle reference, Index steps) {
    try {
        return ask(prediction, reference, steps);
    } catch (const TooFar&) {
        return nb::none();
    }
}

}  // namespace

NB_MODULE(_edit, module) {
    const auto prediction = nb::arg("prediction").none(), reference = nb::arg("reference").none();
    module.def("counts", &unless_too_far<counts>, prediction, reference, nb::arg("steps") = kUnlimited);
    module.def("runs", &unless_too_far<runs>, prediction, reference, nb::arg("steps") = kUnlimited);
}
