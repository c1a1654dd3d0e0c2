// Texts of nodes, numbered so that equal ones share a number, and what a pair of trees may cost.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

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

}  // namespace jatdae::tree
