// The texts of two trees and how far apart they are.
//
//   Texts        texts by number, equal ones under one number
//   Levenshtein  the distance of two texts, 64 rows of its matrix in one machine word
//   Lanes        Levenshtein distances of one text to eight short ones at once
//   Ratios       Levenshtein(s, t) / max(|s|, |t|), each pair measured once
//
// `Budget` counts the work of a pair of trees, in texts and in nodes.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <optional>
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

using Symbols = std::vector<std::uint32_t>;  // tokens, numbered in the order they are first seen

// Levenshtein distance, 64 rows of its matrix in one machine word (Myers 1999, Hyyrö 2003).
class Levenshtein {
public:
    Symbols number(const std::u32string& tokens) {
        Symbols symbols(tokens.size());
        for (std::size_t i = 0; i < tokens.size(); ++i) symbols[i] = symbol(tokens[i]);
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

// Levenshtein distances of one text to many short ones: the same with eight of the short texts side by side, each in a
// lane of sixteen bits. Compilers turn the loops over lanes into single instructions.
class Lanes {
public:
    static constexpr std::size_t kCount = 8, kLongest = 16, kMostTokens = 60'000;
    using Word = std::uint16_t;
    using Block = std::array<Word, kCount>;

    static std::size_t blocks(std::size_t texts) { return (texts + kCount - 1) / kCount; }
    // Whether the tables for so many texts over such an alphabet are worth their memory.
    static bool worthwhile(std::size_t texts, std::size_t alphabet) { return blocks(texts) * alphabet <= kMostBlocks; }

    // Eight texts make a block, in the order given; those longer than kLongest have an idle lane.
    Lanes(const std::vector<const Symbols*>& texts, std::size_t alphabet)
        : blocks_(blocks(texts.size())), matches_(blocks_ * alphabet), used_(blocks_), sizes_(blocks_) {
        for (std::size_t text = 0; text < texts.size(); ++text) {
            const Symbols& symbols = *texts[text];
            const std::size_t block = text / kCount, lane = text % kCount;
            if (symbols.size() > kLongest) continue;
            for (std::size_t i = 0; i < symbols.size(); ++i)
                matches_[symbols[i] * blocks_ + block][lane] |= Word(1u << i);
            used_[block][lane] = Word((1u << symbols.size()) - 1);
            sizes_[block][lane] = Word(symbols.size());
        }
    }

    // The distances of `s`, which has at most kMostTokens tokens, to the texts of a block.
    Block distances(const Symbols& s, std::size_t block) const {
        Block up, down{}, sum;
        up.fill(Word(~0u));
        for (std::uint32_t symbol : s) {
            const Block& match = matches_[symbol * blocks_ + block];
            for (std::size_t k = 0; k < kCount; ++k) {
                const Word diagonal = Word((Word(Word(match[k] & up[k]) + up[k]) ^ up[k]) | match[k] | down[k]);
                const Word rise = Word(Word((down[k] | Word(~(diagonal | up[k]))) << 1) | 1u);
                const Word fall = Word(Word(diagonal & up[k]) << 1);
                up[k] = Word(fall | Word(~(diagonal | rise)));
                down[k] = Word(rise & diagonal);
            }
        }
        const Block &used = used_[block], &sizes = sizes_[block];
        for (std::size_t k = 0; k < kCount; ++k)
            sum[k] = Word(s.size() - sizes[k] + ones(up[k] & used[k]) + ones(Word(~down[k] & used[k])));
        return sum;
    }

private:
    static constexpr std::size_t kMostBlocks = 2'000'000;  // 32 MB

    static Word ones(Word bits) {
        bits = Word(bits - ((bits >> 1) & 0x5555));
        bits = Word((bits & 0x3333) + ((bits >> 2) & 0x3333));
        bits = Word((bits + (bits >> 4)) & 0x0f0f);
        return Word((bits + (bits >> 8)) & 0x1f);
    }

    std::size_t blocks_;
    std::vector<Block> matches_;  // per symbol and block: where in each text the symbol stands
    std::vector<Block> used_, sizes_;
};

// Levenshtein(s, t) / max(|s|, |t|) for the texts s of one tree and t of another, each pair measured once. The texts of
// the first are rows, those of the second columns, in the order they occur: neighbours in the tree are neighbours in
// memory.
class Ratios {
    using Known = Lanes::Word;

public:
    using Line = std::int32_t;  // a row or a column

    Ratios(const Texts& texts, const std::vector<Text>& a, const std::vector<Text>& b, Budget& budget)
        : texts_(texts), budget_(budget), rows_(texts, a), columns_(texts, b) {
        stride_ = Lanes::blocks(columns_.texts.size()) * Lanes::kCount;
        columns_.sizes.resize(stride_, kIdle);
        known_.reset(static_cast<Known*>(std::calloc(rows_.texts.size() * stride_, sizeof(Known))));
        if (!known_) throw std::bad_alloc();
    }

    Line row(Text s) const { return rows_.line[s]; }
    Line column(Text t) const { return columns_.line[t]; }

    double operator()(Line row, Line column) { return of(row)(column); }

    // The ratios of one text.
    class Row {
    public:
        double operator()(Line column) const {
            Known known = known_[column];
            if (known == kUnknown) known = all_.learn(row_, column);
            const std::int32_t distance = known == kLong ? all_.measure(row_, column) : known - 1;
            return double(distance) / double(std::max(size_, all_.columns_.sizes[column]));
        }

    private:
        friend Ratios;
        Row(Ratios& all, Line row)
            : all_(all), row_(row), size_(std::max(1, all.rows_.sizes[row])), known_(all.line(row)) {}

        Ratios& all_;
        const Line row_;
        const std::int32_t size_;  // 1 for no text at all: two of these are 0 / 1 apart
        const Known* const known_;
    };

    Row of(Line row) { return {*this, row}; }

private:
    // A distance and one. kLong is too long to be remembered in two bytes and measured each time.
    static constexpr Known kUnknown = 0, kLong = 0xffff;
    // So many pairs a column are measured one by one, before it pays to prepare for many: trees may be much alike.
    static constexpr std::size_t kFew = 4;
    static constexpr std::int32_t kIdle = std::numeric_limits<std::int32_t>::max();

    // The texts of a tree in the order they occur, no text first.
    struct Lines {
        Lines(const Texts& all, const std::vector<Text>& found) : line(all.count(), -1) {
            add(all, kNoText);
            for (Text text : found)
                if (line[text] < 0) add(all, text);
        }
        void add(const Texts& all, Text text) {
            line[text] = Line(texts.size());
            texts.push_back(text);
            sizes.push_back(std::int32_t(all[text].size()));
        }
        std::vector<Line> line;  // by text
        std::vector<Text> texts;
        std::vector<std::int32_t> sizes;
    };

    Known* line(Line row) { return known_.get() + std::size_t(row) * stride_; }

    // Measures a pair, and its neighbours where that costs no more.
    Known learn(Line row, Line column) {
        Known* known = line(row);
        if (columns_.sizes[column] > std::int32_t(Lanes::kLongest) || !use_lanes(row))
            return known[column] = Known(std::min<std::int64_t>(measure(row, column) + std::int64_t{1}, kLong));
        const std::size_t block = std::size_t(column) / Lanes::kCount, first = block * Lanes::kCount;
        budget_.spend(std::int64_t{Lanes::kCount} * (1 + rows_.sizes[row]));  // the memory of each counts too
        const Lanes::Block distances = lanes_->distances(symbols(rows_.texts[row]), block);
        for (std::size_t k = 0; k < Lanes::kCount; ++k)
            if (columns_.sizes[first + k] <= std::int32_t(Lanes::kLongest)) known[first + k] = Known(distances[k] + 1);
        return known[column];
    }

    // Whether this text is to be compared with eight at once; prepared when it begins to pay.
    bool use_lanes(Line row) {
        if (rows_.sizes[row] > std::int32_t(Lanes::kMostTokens) || ++asked_ < kFew * stride_) return false;
        if (!tried_) {
            tried_ = true;
            std::vector<const Symbols*> others;
            for (Text text : columns_.texts) others.push_back(&symbols(text));
            for (Text text : rows_.texts) symbols(text);  // so that the alphabet is complete
            const std::size_t alphabet = levenshtein_.alphabet();
            if (Lanes::worthwhile(others.size(), alphabet)) lanes_.emplace(others, alphabet);
        }
        return lanes_.has_value();
    }

    std::int32_t measure(Line row, Line column) {
        const Text s = rows_.texts[row], t = columns_.texts[column];
        if (s == t) return 0;
        if (s == kNoText || t == kNoText) return std::max(rows_.sizes[row], columns_.sizes[column]);
        budget_.spend(Levenshtein::steps(symbols(s), symbols(t)));
        return std::int32_t(levenshtein_.distance(symbols(s), symbols(t)));
    }

    const Symbols& symbols(Text text) {
        if (symbols_.empty()) symbols_.resize(texts_.count());
        if (symbols_[text].empty()) symbols_[text] = levenshtein_.number(texts_[text]);
        return symbols_[text];
    }

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };

    const Texts& texts_;
    Budget& budget_;
    Lines rows_, columns_;
    std::size_t stride_ = 0;
    Levenshtein levenshtein_;
    std::vector<Symbols> symbols_;  // empty until first needed
    std::size_t asked_ = 0;
    bool tried_ = false;
    std::optional<Lanes> lanes_;
    std::unique_ptr<Known, Free> known_;  // zero to begin with; pages never touched cost no memory
};

}  // namespace jatdae::tree
