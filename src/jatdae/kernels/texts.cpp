// Python bindings of a first look at a text, and of the similarities of short ones. The contract is in texts.py.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace nb = nanobind;

namespace {

using Index = Py_ssize_t;

// The sorts of characters, as texts.py names them.
enum Sort : int {
    kFigure = 1, kLetter = 2, kColon = 4, kBracket = 8, kComma = 16, kDash = 32, kStroke = 64, kSpace = 128, kSign = 256,
    kForeign = 512,
};

int sort_of_ascii(Py_UCS4 character) {
    if (character >= '0' && character <= '9') return kFigure;
    if (Py_UNICODE_ISSPACE(character)) return kSpace;
    if (Py_UNICODE_ISALPHA(character)) return kLetter;
    switch (character) {
        case ':': return kColon;
        case '(': case ')': case '[': case ']': return kBracket;
        case ',': return kComma;
        case '-': return kDash;
        case '/': return kStroke;
        default: return kSign;
    }
}

int sort_of(Py_UCS4 character) {
    static const auto ascii = [] {
        std::array<int, 128> sorts{};
        for (Py_UCS4 each = 0; each < 128; ++each) sorts[each] = sort_of_ascii(each);
        return sorts;
    }();
    if (character < 128) return ascii[character];
    if (character >= 0xAC00 && character <= 0xD7A3) return kLetter;  // syllables of Korean
    int sort = kForeign;
    if (Py_UNICODE_ISSPACE(character)) sort |= kSpace;
    if (Py_UNICODE_ISALNUM(character) && !Py_UNICODE_ISDECIMAL(character)) sort |= kLetter;
    return sort;
}

int look(nb::handle text) {
    if (!PyUnicode_Check(text.ptr())) throw nb::type_error("a text is expected");
    const void* data = PyUnicode_DATA(text.ptr());
    const int kind = PyUnicode_KIND(text.ptr());
    const Index size = PyUnicode_GET_LENGTH(text.ptr());
    int sorts = 0;
    for (Index at = 0; at < size; ++at) sorts |= sort_of(PyUnicode_READ(kind, data, at));
    return sorts;
}

using Word = std::uint64_t;
constexpr Index kWord = 64;
constexpr std::size_t kSmall = 150;  // texts times texts; rapidfuzz is faster with larger tables

// Where each character stands in a text of up to 64: bit i is set for the character at i.
class Places {
public:
    void clear() {
        std::memset(ascii_, 0, sizeof ascii_);
        others_.clear();
    }
    void add(Py_UCS4 character, Word bit) {
        if (character < 128) {
            ascii_[character] |= bit;
            return;
        }
        for (Other& other : others_) {
            if (other.character == character) {
                other.places |= bit;
                return;
            }
        }
        others_.push_back({character, bit});
    }
    Word of(Py_UCS4 character) const {
        if (character < 128) return ascii_[character];
        for (const Other& other : others_) {
            if (other.character == character) return other.places;
        }
        return 0;
    }

private:
    struct Other {
        Py_UCS4 character;
        Word places;
    };
    Word ascii_[128];
    std::vector<Other> others_;
};

// Texts one after the other, as code points.
class Texts {
public:
    explicit Texts(nb::list given) {
        starts_.reserve(given.size() + 1);
        for (nb::handle text : given) {
            if (!PyUnicode_Check(text.ptr())) throw nb::type_error("a text is expected");
            const std::size_t start = starts_.back(), size = std::size_t(PyUnicode_GET_LENGTH(text.ptr()));
            characters_.resize(start + size);
            const void* data = PyUnicode_DATA(text.ptr());
            const int kind = PyUnicode_KIND(text.ptr());
            for (std::size_t at = 0; at < size; ++at) characters_[start + at] = PyUnicode_READ(kind, data, at);
            starts_.push_back(start + size);
        }
    }
    Index count() const { return Index(starts_.size()) - 1; }
    Index size(Index at) const { return Index(starts_[at + 1] - starts_[at]); }
    const Py_UCS4* begin(Index at) const { return characters_.data() + starts_[at]; }
    const Py_UCS4* end(Index at) const { return characters_.data() + starts_[at + 1]; }

private:
    std::vector<std::size_t> starts_ = {0};
    std::vector<Py_UCS4> characters_;
};

// Levenshtein distance by the bits of one word: G. Myers (1999), as simplified by H. Hyyrö (2003).
Index distance(const Places& places, Index size, const Py_UCS4* other, const Py_UCS4* end) {
    if (size == 0) return end - other;
    Word up = ~Word(0), down = 0;
    const Word last = Word(1) << (size - 1);
    Index found = size;
    for (; other != end; ++other) {
        const Word same = places.of(*other);
        const Word diagonal = (((same & up) + up) ^ up) | same | down;
        Word right = down | ~(diagonal | up);
        const Word left = diagonal & up;
        found += (right & last) != 0;
        found -= (left & last) != 0;
        right = (right << 1) | 1;
        up = (left << 1) | ~(diagonal | right);
        down = right & diagonal;
    }
    return found;
}

struct Matrix {
    Py_buffer view;
    explicit Matrix(nb::handle given) {
        if (PyObject_GetBuffer(given.ptr(), &view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE | PyBUF_FORMAT) != 0) {
            throw nb::python_error();
        }
    }
    ~Matrix() { PyBuffer_Release(&view); }
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;
    bool has(Index columns) const {
        return view.ndim == 2 && std::strcmp(view.format, "d") == 0 && view.shape[1] == columns;
    }
    double* row(Index at) { return static_cast<double*>(view.buf) + at * view.shape[1]; }
};

// Which cells of a table stand for texts that are alike for another reason, row by row.
std::vector<char> marked(nb::list alike, Index rows, Index columns) {
    std::vector<char> cells;
    if (alike.size() == 0) return cells;
    cells.resize(std::size_t(rows * columns));
    for (nb::handle pair : alike) {
        const Index row = nb::cast<Index>(pair[0]), column = nb::cast<Index>(pair[1]);
        if (row < 0 || row >= rows || column < 0 || column >= columns) throw nb::value_error("no such pair");
        cells[std::size_t(row * columns + column)] = 1;
    }
    return cells;
}

// False, and nothing is added, where the table is too large or a text of ours too long.
bool add(nb::handle total, nb::list rows, nb::list ours, nb::list theirs, nb::list alike) {
    if (ours.size() * theirs.size() > kSmall) return false;
    const Texts mine(ours), others(theirs);
    for (Index i = 0; i < mine.count(); ++i) {
        if (mine.size(i) > kWord) return false;
    }
    Matrix matrix(total);
    if (!matrix.has(others.count()) || Index(rows.size()) != mine.count()) throw nb::value_error("sizes differ");
    const std::vector<char> same = marked(alike, mine.count(), others.count());
    Places places;
    for (Index i = 0; i < mine.count(); ++i) {
        const Index row = nb::cast<Index>(rows[std::size_t(i)]), size = mine.size(i);
        if (row < 0 || row >= matrix.view.shape[0]) throw nb::value_error("no such row");
        places.clear();
        for (Index at = 0; at < size; ++at) places.add(mine.begin(i)[at], Word(1) << at);
        double* cells = matrix.row(row);
        for (Index j = 0; j < others.count(); ++j) {
            const Index longest = std::max(size, others.size(j));
            const bool equal = !longest || (!same.empty() && same[std::size_t(i * others.count() + j)]);
            const Index edits = equal ? 0 : distance(places, size, others.begin(j), others.end(j));
            cells[j] += equal ? 1.0 : 1.0 - double(edits) / double(longest);
        }
    }
    return true;
}

}  // namespace

NB_MODULE(_texts, module) {
    module.def("look", &look, nb::arg("text"));
    module.def("add", &add, nb::arg("total"), nb::arg("rows"), nb::arg("ours"), nb::arg("theirs"), nb::arg("alike"));
}
