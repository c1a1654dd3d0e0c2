// Bit-parallel columns of the edit matrix: Myers 1999, in the block form of Hyyrö 2003.
//
// The matrix D has a row for every reference position i and a column for every prediction position j. A column is kept
// as differences between neighbouring rows, one bit each: `up` where D grows by one, `down` where it falls by one.
// Several words of 64 rows make a stripe. The words of one column hang together by a carry, so while lane 0 works on
// column t, lane l works on column t - l: then the lanes of one step are independent and can share vector registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace jatdae {

using Index = std::ptrdiff_t;
using Symbol = std::uint32_t;
using Word = std::uint64_t;

constexpr int kWordBits = 64;

#if defined(__GNUC__)
typedef Word Pair __attribute__((vector_size(16)));  // 128 bits: on every x86-64 and every AArch64
#define JATDAE_INLINE [[gnu::always_inline]] inline
#else
using Pair = Word;
#define JATDAE_INLINE inline
#endif

// What a stripe works through. `matches[symbol * lanes + lane]` has a bit for every row with that reference symbol.
// The carries are the horizontal differences at a stripe's edge, in the top bit: it reads those of its upper edge and
// leaves those of its lower edge in their place. `kept`, if not null, takes the words of every step.
struct Columns {
    const Symbol* prediction;
    Index count;
    const Word* matches;
    Word* carry_up;
    Word* carry_down;
    Word* kept;
};

template <class Vector, int Groups>
class Stripe {
    static constexpr int per_vector = sizeof(Vector) / sizeof(Word);

public:
    static constexpr int lanes = per_vector * Groups;
    static constexpr Index height = Index(lanes) * kWordBits;

    // Where `kept` has the word of a column and lane for `up`; that for `down` is `lanes` further on.
    static constexpr Index kept_at(Index column, int lane) { return (column + lane) * 2 * lanes + lane; }
    static constexpr Index kept_size(Index columns) { return (columns + lanes - 1) * 2 * lanes; }

    void sweep(Columns columns) {
        for (int g = 0; g < Groups; ++g) {
            up_[g] = ~Vector{};
            down_[g] = edge_up_[g] = edge_down_[g] = Vector{};
        }
        if (columns.count == 0) return;
        if (columns.kept)
            run<true>(columns);
        else
            run<false>(columns);
    }

    // The differences of the last column.
    Word up(int lane) const { return word(up_[lane / per_vector], lane % per_vector); }
    Word down(int lane) const { return word(down_[lane / per_vector], lane % per_vector); }

private:
    Vector up_[Groups], down_[Groups];            // vertical differences
    Vector edge_up_[Groups], edge_down_[Groups];  // horizontal ones of the last step, for the lanes below

    template <bool Keep>
    void run(Columns columns) {
        Stripe s = *this;  // a local copy stays in registers
        Index t = 0;
        for (; t < lanes - 1; ++t) s.guarded_step<Keep>(columns, t);
        for (; t < columns.count; ++t) {
            s.step(columns, t, columns.carry_up[t], columns.carry_down[t]);
            s.leave<Keep>(columns, t);
        }
        for (; t < columns.count + lanes - 1; ++t) s.guarded_step<Keep>(columns, t);
        *this = s;
    }

    // At both ends of a sweep some lanes have no column to work on: they keep what they hold.
    template <bool Keep>
    void guarded_step(Columns columns, Index t) {
        const Stripe before = *this;
        const bool inside = t < columns.count;
        step(columns, t, inside ? columns.carry_up[t] : 0, inside ? columns.carry_down[t] : 0);
        for (int g = 0; g < Groups; ++g) {
            const Vector busy = each_lane(g, [&](int lane) {
                return t >= lane && t - lane < columns.count ? ~Word{} : Word{};
            });
            up_[g] = (up_[g] & busy) | (before.up_[g] & ~busy);
            down_[g] = (down_[g] & busy) | (before.down_[g] & ~busy);
        }
        leave<Keep>(columns, t);
    }

    JATDAE_INLINE void step(Columns columns, Index t, Word carry_up, Word carry_down) {
        for (int g = Groups - 1; g >= 0; --g) {  // from below: a group reads what the one above left in the last step
            const Vector in_up = moved(edge_up_[g], g ? last(edge_up_[g - 1]) : carry_up) >> (kWordBits - 1);
            const Vector in_down = moved(edge_down_[g], g ? last(edge_down_[g - 1]) : carry_down) >> (kWordBits - 1);
            const Vector match = in_down | each_lane(g, [&](int lane) {
                return columns.matches[Index(columns.prediction[t - lane]) * lanes + lane];
            });
            const Vector even = (((match & up_[g]) + up_[g]) ^ up_[g]) | match | down_[g];  // D(i, j) = D(i-1, j-1)
            edge_up_[g] = down_[g] | ~(even | up_[g]);
            edge_down_[g] = even & up_[g];
            const Vector above_up = (edge_up_[g] << 1) | in_up;
            const Vector above_down = (edge_down_[g] << 1) | in_down;
            up_[g] = above_down | ~(even | above_up);
            down_[g] = above_up & even;
        }
    }

    template <bool Keep>
    JATDAE_INLINE void leave(Columns columns, Index t) const {
        if (Keep) {
            std::memcpy(columns.kept + t * 2 * lanes, up_, sizeof up_);
            std::memcpy(columns.kept + t * 2 * lanes + lanes, down_, sizeof down_);
        }
        const Index column = t - (lanes - 1);  // where the lowest lane is
        if (column < 0) return;
        columns.carry_up[column] = last(edge_up_[Groups - 1]);
        columns.carry_down[column] = last(edge_down_[Groups - 1]);
    }

    template <class WordOf>
    JATDAE_INLINE static Vector each_lane(int group, WordOf word_of) {
        if constexpr (per_vector == 1)
            return word_of(group);
        else
            return Vector{word_of(2 * group), word_of(2 * group + 1)};
    }

    // Every lane one further down, `in` into the first.
    JATDAE_INLINE static Vector moved(Vector v, Word in) {
        if constexpr (per_vector == 1)
            return in;
        else
            return Vector{in, v[0]};
    }

    JATDAE_INLINE static Word last(Vector v) { return word(v, per_vector - 1); }

    JATDAE_INLINE static Word word(Vector v, int lane) {
        if constexpr (per_vector == 1)
            return v;
        else
            return v[lane];
    }
};

using Narrow = Stripe<Word, 1>;
using Wide = Stripe<Pair, 4 * sizeof(Word) / sizeof(Pair)>;

}  // namespace jatdae
