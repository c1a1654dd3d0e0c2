// Rows of leaves, added up by pattern, depth and outcome.
#pragma once

#include <nanobind/nanobind.h>

#include <stdexcept>
#include <vector>

namespace jatdae::fields {

namespace nb = nanobind;

class Tally {
public:
    void add(nb::list rows) {
        std::vector<std::size_t> places;
        places.reserve(rows.size());
        for (nb::handle row : rows) places.push_back(add(end_of(row.ptr())));
        for (Score& score : scores_) score.similarity = double(score.leaves);
        // In the order of the rows, and from the whole down: so the twin adds, and no bit may differ.
        for (std::size_t i = 0; i < places.size(); ++i) {
            const double similarity = PyFloat_AsDouble(end_of(rows[i].ptr())[kSimilarity]);
            if (similarity == -1.0 && PyErr_Occurred()) throw nb::python_error();
            scores_[places[i]].similarity -= 1.0 - similarity;
        }
    }

    nb::tuple result() const {
        nb::dict fields, depths, outcomes;
        for (std::size_t i = 0; i < scores_.size(); ++i) {
            const Score& score = scores_[i];
            fields[patterns_[i]] = nb::make_tuple(score.leaves, score.exact, score.fuzzy, score.similarity);
        }
        for (const Level& level : levels_) depths[nb::int_(level.depth)] = nb::make_tuple(level.leaves, level.exact);
        for (const Table& table : tables_) {
            nb::dict counts;
            for (std::size_t i = 0; i < table.counts.size(); ++i)
                if (table.counts[i]) counts[patterns_[i]] = table.counts[i];
            outcomes[table.outcome] = counts;
        }
        return nb::make_tuple(fields, depths, outcomes);
    }

private:
    enum { kExact, kFuzzy, kSimilarity, kDepth, kOutcome, kPattern, kColumns };  // what a row ends in
    struct Score {
        Py_ssize_t leaves = 0, exact = 0, fuzzy = 0;
        double similarity = 0;
    };
    struct Level {
        long depth;
        Py_ssize_t leaves = 0, exact = 0;
    };
    struct Table {
        nb::handle outcome;
        std::vector<Py_ssize_t> counts = {};  // by the place of the pattern
    };

    // Of types that run no code of their own: nothing else may happen to the rows while they are read.
    static PyObject** end_of(PyObject* row) {
        if (!PyTuple_Check(row) || PyTuple_GET_SIZE(row) < kColumns)
            throw std::invalid_argument("a row is a tuple of at least six");
        PyObject** end = &PyTuple_GET_ITEM(row, PyTuple_GET_SIZE(row) - kColumns);
        if (!PyBool_Check(end[kExact]) || !PyBool_Check(end[kFuzzy]) || !is_number(end[kSimilarity]) ||
            !PyLong_CheckExact(end[kDepth]) || !PyUnicode_CheckExact(end[kOutcome]) || !PyUnicode_CheckExact(end[kPattern]))
            throw std::invalid_argument("a row ends in: exact, fuzzy (bools), similarity, depth, outcome, pattern");
        return end;
    }

    static bool is_number(PyObject* value) { return PyFloat_CheckExact(value) || PyLong_CheckExact(value); }

    static long depth_of(PyObject* depth) {
        int beyond = 0;
        const long number = PyLong_AsLongAndOverflow(depth, &beyond);
        if (beyond) throw std::invalid_argument("a depth of more than 64 bits");
        return number;
    }

    std::size_t add(PyObject** row) {
        const bool exact = row[kExact] == Py_True;
        const std::size_t place = place_of(row[kPattern]);
        Score& score = scores_[place];
        score.leaves += 1;
        score.exact += exact;
        score.fuzzy += row[kFuzzy] == Py_True;
        Level& level = level_of(depth_of(row[kDepth]));
        level.leaves += 1;
        level.exact += exact;
        std::vector<Py_ssize_t>& counts = counts_of(row[kOutcome]);
        if (counts.size() <= place) counts.resize(place + 1, 0);
        counts[place] += 1;
        return place;
    }

    std::size_t place_of(PyObject* pattern) {
        if (PyObject* known = PyDict_GetItemWithError(places_.ptr(), pattern)) return PyLong_AsSize_t(known);
        if (PyErr_Occurred()) throw nb::python_error();
        places_[nb::handle(pattern)] = scores_.size();
        patterns_.push_back(pattern);
        scores_.emplace_back();
        return scores_.size() - 1;
    }

    Level& level_of(long depth) {
        for (Level& level : levels_)
            if (level.depth == depth) return level;
        levels_.push_back({depth});
        return levels_.back();
    }

    std::vector<Py_ssize_t>& counts_of(nb::handle outcome) {
        for (Table& table : tables_)
            if (table.outcome.is(outcome) || table.outcome.equal(outcome)) return table.counts;
        tables_.push_back({outcome});
        return tables_.back().counts;
    }

    nb::dict places_;  // of patterns, by the order they are met in
    std::vector<nb::handle> patterns_;
    std::vector<Score> scores_;
    std::vector<Level> levels_;
    std::vector<Table> tables_;
};

}  // namespace jatdae::fields
