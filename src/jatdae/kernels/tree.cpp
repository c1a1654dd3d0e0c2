// Python bindings of the tree edit distance. The contract is in tree.py.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "tree_distance.hpp"

namespace nb = nanobind;
using namespace jatdae::tree;

namespace {

using Numbers = std::vector<std::int32_t>;

// A tree as it is given: parents, kinds and texts of the nodes in preorder.
struct Given {
    Numbers parents, kinds, texts;
};

std::u32string tokens_of(nb::handle text) {
    std::u32string tokens;
    if (PyUnicode_Check(text.ptr())) {
        tokens.resize(PyUnicode_GET_LENGTH(text.ptr()));
        auto* out = reinterpret_cast<Py_UCS4*>(tokens.data());
        if (!tokens.empty() && !PyUnicode_AsUCS4(text.ptr(), out, Py_ssize_t(tokens.size()), 0))
            throw nb::python_error();
        return tokens;
    }
    for (nb::handle token : text) {
        std::uint32_t number;
        if (!nb::try_cast(token, number)) throw std::invalid_argument("a token must be a number from 0 to 2**32 - 1");
        tokens.push_back(char32_t(number));
    }
    return tokens;
}

Numbers numbers_of(nb::handle tree, const char* field) {
    Numbers numbers;
    if (!nb::try_cast(tree.attr(field), numbers)) throw std::invalid_argument("a tree is made of numbers below 2**31");
    return numbers;
}

Given read(nb::handle tree) {
    return {numbers_of(tree, "parents"), numbers_of(tree, "kinds"), numbers_of(tree, "texts")};
}

// The places of texts in Python's list become their numbers here.
void renumber(Given& tree, const std::vector<Text>& numbers) {
    if (tree.parents.empty()) throw std::invalid_argument("a tree needs a root");
    if (tree.texts.empty()) tree.texts.assign(tree.parents.size(), -1);
    if (tree.kinds.size() != tree.parents.size() || tree.texts.size() != tree.parents.size())
        throw std::invalid_argument("a tree needs as many kinds as parents, and as many texts or none");
    for (Text& text : tree.texts) {
        if (text >= std::int64_t(numbers.size())) throw std::invalid_argument("a text is not in the list of texts");
        text = text < 0 ? kNoText : numbers[text];
    }
}

// Runs `ask(Distance&)` on two trees, neither of them empty; nothing where that takes more than `limit` steps.
template <class Ask>
auto ask(nb::handle tree_a, nb::handle tree_b, nb::handle list, Costs costs, std::int64_t limit, Ask question)
    -> std::optional<decltype(question(std::declval<Distance&>()))> {
    Given given_a = read(tree_a), given_b = read(tree_b);
    Texts texts;
    std::vector<Text> numbers;
    for (nb::handle text : list) numbers.push_back(texts.number(tokens_of(text)));
    nb::gil_scoped_release unlocked;
    for (Given* given : {&given_a, &given_b}) renumber(*given, numbers);
    try {
        Budget budget(limit);
        const Shape a(std::move(given_a.parents)), b(std::move(given_b.parents));
        Pair pair(a, {given_a.kinds, given_a.texts}, b, {given_b.kinds, given_b.texts}, texts, costs, budget);
        Distance distance(pair);
        return question(distance);
    } catch (const TooLarge&) {
        return std::nullopt;
    }
}

std::optional<double> distance(nb::handle a, nb::handle b, nb::handle texts, double rename, double insert, double erase,
                               std::int64_t limit) {
    return ask(a, b, texts, {rename, insert, erase}, limit, [](Distance& of) { return of.run(); });
}

std::optional<Distance::Pairs> mapping(nb::handle a, nb::handle b, nb::handle texts, double rename, double insert,
                                       double erase, std::int64_t limit) {
    return ask(a, b, texts, {rename, insert, erase}, limit, [](Distance& of) { return of.mapping(); });
}

}  // namespace

NB_MODULE(_tree, m) {
    m.def("distance", &distance);
    m.def("mapping", &mapping);
}
