// Levenshtein distance, 64 rows of its matrix in one machine word (Myers 1999, Hyyrö 2003).
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace jatdae {

using Symbols = std::vector<std::uint32_t>;  // tokens, numbered in the order they are first seen

class Levenshtein {
public:
    Symbols number(const std::u32string& tokens) { return number(tokens.data(), tokens.size()); }

    template <class Token>
    Symbols number(const Token* tokens, std::size_t size) {
        Symbols symbols(size);
        for (std::size_t i = 0; i < size; ++i) symbols[i] = symbol(tokens[i]);
        rows_.resize(alphabet_, 0);
        return symbols;
    }

    std::size_t alphabet() const { return alphabet_; }

    static std::int64_t steps(const Symbols& s, const Symbols& t) {
        return std::int64_t((s.size() + kBits - 1) / kBits) * std::int64_t(t.size());
    }

    // Quickest where s stays the same from call to call. `s` has to outlive the next call.
    std::int64_t distance(const Symbols& s, const Symbols& t) {
        if (s.size() > kBits) return in_stripes(s, t);
        learn(s, 0);
        Column column;
        for (std::uint32_t symbol : t) column.step(rows_[symbol], kOneUp);
        return std::int64_t(t.size()) + column.height(s.size());
    }

private:
    using Word = std::uint64_t;
    static constexpr std::size_t kBits = 64;

    // From one column of the matrix to the next, a row rises by one, falls by one, or neither.
    struct Carry {
        Word up, down;
    };
    static constexpr Carry kOneUp{1, 0};

    // A column of the matrix: where it rises or falls from one row to the next.
    struct Column {
        Word up = ~Word{0}, down = 0;

        Carry step(Word match, Carry above) {
            match |= above.down;
            const Word diagonal = (((match & up) + up) ^ up) | match | down;
            const Word rise = down | ~(diagonal | up), fall = diagonal & up;
            const Word rise_below = rise << 1 | above.up, fall_below = fall << 1 | above.down;
            up = fall_below | ~(diagonal | rise_below);
            down = rise_below & diagonal;
            return {rise >> (kBits - 1), fall >> (kBits - 1)};
        }

        std::int64_t height(std::size_t rows) const {
            const Word used = ~Word{0} >> (kBits - rows);
            return std::int64_t(std::bitset<kBits>(up & used).count()) -
                   std::int64_t(std::bitset<kBits>(down & used).count());
        }
    };

    std::int64_t in_stripes(const Symbols& s, const Symbols& t) {
        std::int64_t height = 0;
        carries_.assign(t.size(), kOneUp);
        for (std::size_t start = 0; start < s.size(); start += kBits) {
            learn(s, start);
            Column column;
            for (std::size_t j = 0; j < t.size(); ++j) carries_[j] = column.step(rows_[t[j]], carries_[j]);
            height += column.height(std::min(kBits, s.size() - start));
        }
        return std::int64_t(t.size()) + height;
    }

    std::uint32_t symbol(char32_t token) {
        std::uint32_t& known = token < kCommon ? common_[token] : others_[token];  // one more than the symbol
        if (!known) known = ++alphabet_;
        return known - 1;
    }

    void learn(const Symbols& s, std::size_t start) {
        if (learnt_ == &s && start_ == start) return;
        if (learnt_) each(*learnt_, start_, [&](std::uint32_t symbol, Word) { rows_[symbol] = 0; });
        each(s, start, [&](std::uint32_t symbol, Word row) { rows_[symbol] |= row; });
        learnt_ = &s;
        start_ = start;
    }

    template <class Visit>
    static void each(const Symbols& s, std::size_t start, Visit visit) {
        const std::size_t end = std::min(s.size(), start + kBits);
        for (std::size_t i = start; i < end; ++i) visit(s[i], Word{1} << (i - start));
    }

    static constexpr char32_t kCommon = 256;
    std::uint32_t alphabet_ = 0, common_[kCommon] = {};
    std::unordered_map<char32_t, std::uint32_t> others_;
    std::vector<Word> rows_;  // per symbol: the rows it stands in, of the stripe learnt last
    const Symbols* learnt_ = nullptr;
    std::size_t start_ = 0;
    std::vector<Carry> carries_;
};

}  // namespace jatdae
