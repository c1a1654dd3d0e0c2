// One optimal alignment of two texts, the same as rapidfuzz's, in linear memory.
//
//   Stripe   columns of the edit matrix, 64 rows to a machine word
//   Band     the part of the matrix that an alignment of limited cost can pass, made of stripes
//   Aligner  the alignment: traced in a band, or cut in two where the band is too large
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

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

// ---- Stripe: bit-parallel columns (Myers 1999, in the block form of Hyyrö 2003) ----
//
// The matrix D has a row for every reference position i and a column for every prediction position j. A column is kept
// as differences between neighbouring rows, one bit each: `up` where D grows by one, `down` where it falls by one.
// Several words of 64 rows make a stripe. A carry links the words of one column, so while lane 0 works on column t,
// lane l works on column t - l: then the lanes of one step are independent and can share vector registers.

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

// ---- Band: only cells that an alignment of at most `limit` edits can pass (Ukkonen 1985) ----

constexpr Index kFar = std::numeric_limits<std::int32_t>::max() / 4;

// A text with kPadding symbols of no meaning before and behind it, which idle lanes read.
using Padded = std::vector<Symbol>;
constexpr Index kPadding = Wide::lanes;

// A stretch of a padded text.
struct Slice {
    const Symbol* data;
    Index size;
    Symbol operator[](Index i) const { return data[i]; }
};

// The columns of a stripe that are in the band, and where its words begin in Scratch::kept.
struct Span {
    Index first, last, kept;
};

// Memory used over and over: scoring millions of short lines must not allocate for each.
struct Scratch {
    std::vector<Word> matches;  // all zero between uses
    std::vector<Word> carry_up, carry_down;
    std::vector<Word> kept;  // only ever grows: clearing it would cost as much as filling it
    std::vector<Span> spans;
};

template <class Stripe>
class Band {
public:
    Band(Slice reference, Slice prediction, Index limit, Scratch& scratch)
        : reference_(reference), prediction_(prediction), limit_(limit), scratch_(scratch) {}

    // Works out columns 0 to `columns`; false where nothing is within the limit. Values are costs of real alignments,
    // exact in every cell that an alignment of at most `limit` edits passes. `scores`, if given, takes the last column,
    // with kFar outside the band; `keep` stores the matrix for `grows` and `falls`.
    bool fill(Index columns, bool keep, std::vector<std::int32_t>* scores) {
        const Index n = reference_.size, m = prediction_.size;
        start(columns, scores);
        bool reached = false;
        Index first = 0, last = 0;
        Index score = 0;                     // D(top, first)
        Index reach = (limit_ + m - n) / 2;  // the furthest diagonal j - i in the band
        for (Index top = 0; top < n; top += Stripe::height) {
            const Index bottom = top + Stripe::height;
            last = std::clamp(std::min(bottom, n) + reach, last, columns);  // never back, where old carries lie
            sweep(top, first, last, keep);
            score += Stripe::height;
            Index end = score + travel(first, last);  // D(bottom, last)
            if (last == columns) finish(top, end, scores);
            reached |= last == columns;
            if (bottom >= n) break;

            // Draw in both ends of the lower edge to the cells from which the corner (n, m) is still within the limit.
            while (score + std::abs((m - first) - (n - bottom)) > limit_) {
                if (first == last) return reached;
                score += travel(first, first + 1);
                ++first;
            }
            Index right = last;
            for (; end + std::abs((m - right) - (n - bottom)) > limit_; --right) end -= travel(right - 1, right);
            const Index lead = (m - right) - (n - bottom);
            reach = m - n - std::min<Index>(lead, 0) + (limit_ - end - std::abs(lead)) / 2;
        }
        return reached;
    }

    // D(n, columns) after a fill that came through.
    Index distance() const { return distance_; }

    // Of a kept matrix: is D(i, j) one more (one less) than D(i - 1, j)? The cell must be in the band, or left of it.
    bool grows(Index i, Index j) const {
        const Span& span = scratch_.spans[(i - 1) / Stripe::height];
        return j <= span.first || bit(span, i, j, 0);
    }
    bool falls(Index i, Index j) const {
        const Span& span = scratch_.spans[(i - 1) / Stripe::height];
        return j > span.first && bit(span, i, j, Stripe::lanes);
    }

private:
    Slice reference_, prediction_;
    Index limit_;
    Scratch& scratch_;
    Stripe stripe_;
    Index kept_ = 0;
    Index distance_ = kFar;

    void start(Index columns, std::vector<std::int32_t>* scores) {
        scratch_.carry_up.assign(columns, ~Word{});  // above and right of the band D grows with every column
        scratch_.carry_down.assign(columns, 0);
        scratch_.spans.clear();
        if (scores) {
            scores->assign(reference_.size + 1, std::int32_t(kFar));
            scores->front() = std::int32_t(columns);
        }
    }

    void sweep(Index top, Index first, Index last, bool keep) {
        const Index rows = std::min(Stripe::height, reference_.size - top);
        const auto cell = [&](Index i) -> Word& {
            return scratch_.matches[Index(reference_[top + i]) * Stripe::lanes + i / kWordBits];
        };
        const Index at = kept_;
        scratch_.spans.push_back({first, last, at});
        if (keep) kept_ += Stripe::kept_size(last - first);
        if (kept_ > Index(scratch_.kept.size())) scratch_.kept.resize(kept_);
        for (Index i = 0; i < rows; ++i) cell(i) |= Word{1} << (i % kWordBits);
        stripe_.sweep({prediction_.data + first, last - first, scratch_.matches.data(),
                       scratch_.carry_up.data() + first, scratch_.carry_down.data() + first,
                       keep ? scratch_.kept.data() + at : nullptr});
        for (Index i = 0; i < rows; ++i) cell(i) = 0;
    }

    // D(bottom, last) - D(bottom, first)
    Index travel(Index first, Index last) const {
        Index sum = 0;
        for (Index j = first; j < last; ++j)
            sum += Index(scratch_.carry_up[j] >> (kWordBits - 1)) - Index(scratch_.carry_down[j] >> (kWordBits - 1));
        return sum;
    }

    // The last column of a stripe, upwards from D(bottom, columns).
    void finish(Index top, Index score, std::vector<std::int32_t>* scores) {
        const Index n = reference_.size;
        for (int lane = Stripe::lanes - 1; lane >= 0; --lane) {
            const Word up = stripe_.up(lane), down = stripe_.down(lane);
            for (int b = kWordBits - 1; b >= 0; --b) {
                const Index i = top + lane * kWordBits + b + 1;
                if (i == n) distance_ = score;
                if (scores && i <= n) (*scores)[i] = std::int32_t(score);
                score += Index(down >> b & 1) - Index(up >> b & 1);
            }
        }
    }

    bool bit(const Span& span, Index i, Index j, int offset) const {
        const Index row = (i - 1) % Stripe::height;
        const Index at = span.kept + Stripe::kept_at(j - 1 - span.first, int(row / kWordBits)) + offset;
        return scratch_.kept[at] >> (row % kWordBits) & 1;
    }
};

// ---- Aligner: which of the optimal alignments is taken ----
//
// The choice decides how the distance divides into substitutions, deletions and insertions. Four rules give the one that
// rapidfuzz (and so jiwer) takes:
//   1. What both texts begin with, then what both end with, is aligned with itself, in every part anew.
//   2. A part whose banded matrix of two bits a cell is under 1 MiB is traced from its end, and so is one with fewer
//      than 65 reference or 10 prediction symbols. The band is known from the distance; the whole text's is not.
//   3. Tracing prefers a deletion, then an insertion, then the diagonal.
//   4. A larger part is cut (Hirschberg 1975) where an optimal alignment passes the middle of the prediction, at the
//      least reference position where one does.

enum Kind : std::uint8_t { kEqual, kReplace, kDelete, kInsert };

struct Piece {
    Kind kind;
    Index size;
};

// Appends, joining with a last piece of the same kind.
inline void append(std::vector<Piece>& pieces, Kind kind, Index size) {
    if (size == 0) return;
    if (!pieces.empty() && pieces.back().kind == kind)
        pieces.back().size += size;
    else
        pieces.push_back({kind, size});
}

// Thrown where the work is found to be more than the caller's limit.
struct TooFar {};

class Aligner {
public:
    // Symbols are below `alphabet`. Beside what both texts begin and end with, the length of the shorter one times the
    // distance is at most `steps`; else it throws TooFar.
    Aligner(const Padded& reference, const Padded& prediction, Index alphabet, Index steps, Scratch& scratch)
        : texts_{&reference, &prediction}, steps_(steps), scratch_(scratch) {
        const std::size_t needed = alphabet * Wide::lanes;
        if (scratch_.matches.size() < needed) scratch_.matches.resize(needed);
    }

    std::vector<Piece> run() {
        align(whole(*texts_[0]), whole(*texts_[1]), kFar);
        return std::move(pieces_);
    }

private:
    const Padded* texts_[2];
    Index steps_, most_ = kFar;  // the largest distance allowed
    Padded mirrored_[2];  // made when a first cut needs them
    std::vector<Piece> pieces_, backwards_;
    std::vector<std::int32_t> left_, right_;
    Scratch& scratch_;

    struct Cut {
        Index at, left, right;  // reference position, distances of the two parts
    };

    // `distance` of the two parts, or kFar where it is not known yet.
    void align(Slice a, Slice b, Index distance) {
        const Index prefix = common(a, b, [](Slice s, Index i) { return s[i]; });
        a = {a.data + prefix, a.size - prefix};
        b = {b.data + prefix, b.size - prefix};
        const Index suffix = common(a, b, [](Slice s, Index i) { return s[s.size - 1 - i]; });
        a.size -= suffix;
        b.size -= suffix;

        const Index shorter = std::min(a.size, b.size);
        if (distance == kFar && shorter > 0) most_ = std::min(steps_ / shorter, kFar);

        append(pieces_, kEqual, prefix);
        if (a.size == 0 || b.size == 0) {
            append(pieces_, kDelete, a.size);
            append(pieces_, kInsert, b.size);
        } else if (traceable(a, b, distance)) {
            trace(a, b, distance);
        } else {
            const Index half = b.size / 2;
            const Cut cut = find_cut(a, b, half, distance);
            align({a.data, cut.at}, {b.data, half}, cut.left);
            align({a.data + cut.at, a.size - cut.at}, {b.data + half, b.size - half}, cut.right);
        }
        append(pieces_, kEqual, suffix);
    }

    template <class At>
    static Index common(Slice a, Slice b, At at) {
        const Index most = std::min(a.size, b.size);
        Index size = 0;
        while (size < most && at(a, size) == at(b, size)) ++size;
        return size;
    }

    static bool traceable(Slice a, Slice b, Index distance) {
        const Index band = std::min(a.size, 2 * std::min(distance, std::max(a.size, b.size)) + 1);
        return 2 * band * b.size / 8 < 1024 * 1024 || a.size < 65 || b.size < 10;
    }

    // An unknown distance is found by trying: first a limit that suits a good prediction, then wider ones. A trial that
    // comes through beyond its limit has found an alignment, and with it a limit that is sure to do.
    Index first_limit(Slice a, Slice b, Index distance) const {
        const Index longest = std::max(a.size, b.size);
        const Index guess = std::abs(a.size - b.size) + std::max<Index>(Wide::height, longest / 64);
        return distance < kFar ? distance : std::min({guess, longest, most_});
    }
    Index wider(Slice a, Slice b, Index limit, Index found) const {
        if (limit >= most_) throw TooFar{};
        return std::min({2 * limit, found, std::max(a.size, b.size), most_});
    }

    Cut find_cut(Slice a, Slice b, Index half, Index distance) {
        const Slice ra = mirror(a, 0), rb = mirror(b, 1);
        for (Index limit = first_limit(a, b, distance);;) {
            Cut cut{0, kFar, kFar};
            if (Band<Wide>(a, b, limit, scratch_).fill(half, false, &left_) &&
                Band<Wide>(ra, rb, limit, scratch_).fill(b.size - half, false, &right_))
                for (Index i = 0; i <= a.size; ++i)
                    if (left_[i] + right_[a.size - i] < cut.left + cut.right) cut = {i, left_[i], right_[a.size - i]};
            if (cut.left + cut.right <= limit) return cut;
            limit = wider(a, b, limit, cut.left + cut.right);
        }
    }

    void trace(Slice a, Slice b, Index distance) {
        for (Index limit = first_limit(a, b, distance);;) {
            // Steps a fill takes, weighed by what one costs: a wide step does four words in 1.4 times the time of one.
            const Index narrow = (a.size / Narrow::height + 1) * std::min(b.size, limit + Narrow::height);
            const Index wide = (a.size / Wide::height + 1) * std::min(b.size, limit + Wide::height);
            const Index found = 10 * narrow < 14 * wide ? trace_in<Narrow>(a, b, limit) : trace_in<Wide>(a, b, limit);
            if (found <= limit) return;
            limit = wider(a, b, limit, found);
        }
    }

    template <class Stripe>
    Index trace_in(Slice a, Slice b, Index limit) {
        Band<Stripe> band(a, b, limit, scratch_);
        if (!band.fill(b.size, true, nullptr)) return kFar;
        if (band.distance() > limit) return band.distance();
        backwards_.clear();
        Index i = a.size, j = b.size;
        while (i > 0 && j > 0) {
            if (band.grows(i, j)) {
                append(backwards_, kDelete, 1);
                --i;
            } else if (--j; band.falls(i, j)) {
                append(backwards_, kInsert, 1);
            } else {
                --i;
                append(backwards_, a[i] == b[j] ? kEqual : kReplace, 1);
            }
        }
        append(backwards_, kDelete, i);
        append(backwards_, kInsert, j);
        for (auto piece = backwards_.rbegin(); piece != backwards_.rend(); ++piece)
            append(pieces_, piece->kind, piece->size);
        return band.distance();
    }

    static Slice whole(const Padded& text) { return {text.data() + kPadding, Index(text.size()) - 2 * kPadding}; }

    Slice mirror(Slice slice, int which) {
        const Padded& text = *texts_[which];
        if (mirrored_[which].empty()) mirrored_[which].assign(text.rbegin(), text.rend());
        return {mirrored_[which].data() + (text.data() + text.size() - (slice.data + slice.size)), slice.size};
    }
};

}  // namespace jatdae
