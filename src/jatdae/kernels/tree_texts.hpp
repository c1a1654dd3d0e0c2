// Texts of nodes, numbered so that equal ones share a number, and how far apart they are.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>

#include "tree_levenshtein.hpp"

namespace jatdae::tree {

using Text = std::int32_t;
constexpr Text kNoText = 0;

struct TooLarge {};

// What a pair may cost before it is given up. Steps are counted, not timed: the same pair is always given up, or never.
class Budget {
public:
    explicit Budget(std::int64_t steps) : left_(steps) {}
    void spend(std::int64_t steps) {
        if (steps > left_) throw TooLarge{};
        left_ -= steps;
    }
    // Numbers to be kept in memory at once.
    static void hold(std::size_t count) {
        if (count > kMost) throw TooLarge{};
    }

private:
    static constexpr std::size_t kMost = 32'000'000;

    std::int64_t left_;
};

// Texts by number; the empty one is kNoText.
class Texts {
public:
    Texts() { number({}); }
    Text number(std::u32string tokens) {
        const auto found = numbers_.emplace(std::move(tokens), Text(tokens_.size()));
        if (found.second) tokens_.push_back(&found.first->first);
        return found.first->second;
    }
    const std::u32string& operator[](Text text) const { return *tokens_[text]; }
    std::size_t count() const { return tokens_.size(); }

private:
    std::unordered_map<std::u32string, Text> numbers_;
    std::vector<const std::u32string*> tokens_;
};

// Levenshtein(s, t) / max(|s|, |t|) for the texts s of one tree and t of another, each pair measured once.
class Ratios {
public:
    Ratios(const Texts& texts, const std::vector<Text>& a, const std::vector<Text>& b, Budget& budget)
        : texts_(texts), budget_(budget), symbols_(texts.count()), facts_(texts.count()) {
        for (std::size_t text = 0; text < texts.count(); ++text)
            facts_[text].size = std::int32_t(texts[Text(text)].size());
        const std::size_t rows = spread(a, &Facts::row);
        columns_ = spread(b, &Facts::column);
        known_.reset(static_cast<Known*>(std::calloc(std::max<std::size_t>(1, rows * columns_), sizeof(Known))));
        if (!known_) throw std::bad_alloc();
    }

    double operator()(Text s, Text t) {
        if (s == t) return 0.0;
        if (s == kNoText || t == kNoText) return 1.0;
        const Facts &of_s = facts_[s], &of_t = facts_[t];
        Known& known = known_.get()[std::size_t(of_s.row) * columns_ + std::size_t(of_t.column)];
        std::int64_t distance = known - 1;
        if (known == kUnknown || known == kLong) {
            distance = measure(s, t);
            known = Known(std::min<std::int64_t>(distance + 1, kLong));
        }
        return double(distance) / double(std::max(of_s.size, of_t.size));
    }

private:
    // A distance and one. kLong is too long to be remembered in two bytes and measured each time.
    using Known = std::uint16_t;
    static constexpr Known kUnknown = 0, kLong = 0xffff;

    struct Facts {
        std::int32_t size = 0, row = -1, column = -1;  // where it is among the texts of either tree
    };

    // Numbers the texts of a tree in the order they occur, so that neighbours in the tree are neighbours in memory.
    std::size_t spread(const std::vector<Text>& texts, std::int32_t Facts::* place) {
        std::int32_t next = 0;
        for (Text text : texts)
            if (text != kNoText && facts_[text].*place < 0) facts_[text].*place = next++;
        return std::size_t(next);
    }

    std::int64_t measure(Text s, Text t) {
        for (Text text : {s, t})
            if (symbols_[text].empty()) symbols_[text] = levenshtein_.number(texts_[text]);
        budget_.spend(Levenshtein::steps(symbols_[s], symbols_[t]));
        return levenshtein_.distance(symbols_[s], symbols_[t]);
    }

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    const Texts& texts_;
    Budget& budget_;
    Levenshtein levenshtein_;
    std::vector<Symbols> symbols_;  // empty until first needed
    std::vector<Facts> facts_;
    std::size_t columns_ = 0;
    std::unique_ptr<Known, Free> known_;  // zero to begin with; pages never touched cost no memory
};

}  // namespace jatdae::tree
