// Levenshtein distances of one text to many short ones: as in levenshtein.hpp, with eight of the short texts side by
// side, each in a lane of sixteen bits. Compilers turn the loops over lanes into single instructions.
#pragma once

#include <array>

#include "levenshtein.hpp"

namespace jatdae::tree {

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

}  // namespace jatdae::tree
