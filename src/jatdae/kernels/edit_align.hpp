// One optimal alignment, the same as rapidfuzz's, in linear memory.
//
// Optimal alignments are many; which one is taken decides how the distance divides into substitutions, deletions and
// insertions. Four rules give the one rapidfuzz (and so jiwer) takes:
//   1. What both texts begin with, then what both end with, is aligned with itself, in every part anew.
//   2. A part whose banded matrix of two bits a cell is under 1 MiB is traced from its end, and so is one with fewer
//      than 65 reference or 10 prediction symbols. The band is known from the distance; the whole text's is not.
//   3. Tracing prefers a deletion, then an insertion, then the diagonal.
//   4. A larger part is cut (Hirschberg 1975) where an optimal alignment passes the middle of the prediction, at the
//      least reference position where one does.
#pragma once

#include <utility>

#include "edit_band.hpp"

namespace jatdae {

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

class Aligner {
public:
    // Symbols are below `alphabet`.
    Aligner(const Padded& reference, const Padded& prediction, Index alphabet, Scratch& scratch)
        : texts_{&reference, &prediction}, scratch_(scratch) {
        const std::size_t needed = alphabet * Wide::lanes;
        if (scratch_.matches.size() < needed) scratch_.matches.resize(needed);
    }

    std::vector<Piece> run() {
        align(whole(*texts_[0]), whole(*texts_[1]), kFar);
        return std::move(pieces_);
    }

private:
    const Padded* texts_[2];
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
    static Index first_limit(Slice a, Slice b, Index distance) {
        const Index longest = std::max(a.size, b.size);
        const Index guess = std::abs(a.size - b.size) + std::max<Index>(Wide::height, longest / 64);
        return distance < kFar ? distance : std::min(guess, longest);
    }
    static Index wider(Slice a, Slice b, Index limit, Index found) {
        return std::min({2 * limit, found, std::max(a.size, b.size)});
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
