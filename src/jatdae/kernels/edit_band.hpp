// The edit matrix inside a band: only cells that an alignment of at most `limit` edits can pass (Ukkonen 1985).
#pragma once

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "edit_sweep.hpp"

namespace jatdae {

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

}  // namespace jatdae
