// One line as a flat JSON object, held to the grammar: what is let through here is never looked at again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jatdae {

struct Fields {
    std::vector<std::string_view> wanted;   // texts that are given out
    std::vector<std::string_view> checked;  // texts that only have to be there
    std::vector<std::string_view> refused;  // names that make a row more than plain
};

// RFC 3629: no stray or missing bytes, no long forms, no surrogates, nothing beyond U+10FFFF.
inline bool is_utf8(std::string_view text) {
    const auto* at = reinterpret_cast<const unsigned char*>(text.data());
    const auto* end = at + text.size();
    while (at < end) {
        const unsigned char lead = *at++;
        if (lead < 0x80) continue;
        const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        if (lead < 0xC2 || lead > 0xF4 || end - at < more) return false;
        const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        const unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (at[0] < least || at[0] > most) return false;
        for (int i = 1; i < more; ++i)
            if (at[i] < 0x80 || at[i] > 0xBF) return false;
        at += more;
    }
    return true;
}

class Line {
public:
    explicit Line(const Fields& fields)
        : fields_(fields),
          all_((std::uint64_t{1} << (fields.wanted.size() + fields.checked.size())) - 1),
          texts_(fields.wanted.size()),
          unescaped_(fields.wanted.size()) {}

    bool read(const char* begin, const char* end) {
        at_ = begin;
        end_ = end;
        seen_ = 0;
        return object() && seen_ == all_;
    }

    // UTF-8 as far as the writer of the line was right.
    std::string_view text(std::size_t wanted) const { return texts_[wanted]; }

private:
    const Fields& fields_;
    const std::uint64_t all_;
    std::vector<std::string_view> texts_;
    std::vector<std::string> unescaped_;
    std::string spare_;  // what is unescaped only to be checked
    const char* at_ = nullptr;
    const char* end_ = nullptr;
    std::uint64_t seen_ = 0;

    bool object() {
        if (!token('{')) return false;
        do {
            if (!member()) return false;
        } while (token(','));
        if (!token('}')) return false;
        space();
        return at_ == end_;
    }

    bool member() {
        std::string_view key;
        bool escaped = false;
        if (!token('"') || !string(key, escaped) || escaped || !token(':')) return false;
        space();
        for (const std::string_view name : fields_.refused)
            if (key == name) return false;
        for (std::size_t i = 0; i < fields_.wanted.size(); ++i)
            if (key == fields_.wanted[i]) return once(i) && wanted(i);
        for (std::size_t i = 0; i < fields_.checked.size(); ++i)
            if (key == fields_.checked[i]) return once(fields_.wanted.size() + i) && at_ < end_ && *at_ == '"' && other();
        return is_utf8(key) && other();
    }

    // Of a field that is written twice the last counts, and the first has to be right: somebody else's task.
    bool once(std::size_t field) {
        const bool again = seen_ >> field & 1;
        seen_ |= std::uint64_t{1} << field;
        return !again;
    }

    bool wanted(std::size_t i) {
        bool escaped = false;
        if (!take('"') || !string(texts_[i], escaped)) return false;
        if (!escaped) return true;
        if (!unescape(texts_[i], unescaped_[i])) return false;
        texts_[i] = unescaped_[i];
        return true;
    }

    bool other() {
        std::string_view text;
        bool escaped = false;
        if (take('"')) return string(text, escaped) && is_utf8(text) && (!escaped || unescape(text, spare_));
        return word("null") || word("true") || word("false") || number();
    }

    // From behind the opening quotation mark to behind the closing one.
    bool string(std::string_view& text, bool& escaped) {
        const char* begin = at_;
        const char* at = at_;
        for (;; ++at) {
            while (at < end_ && static_cast<unsigned char>(*at) >= 0x20 && *at != '"' && *at != '\\') ++at;
            if (at == end_ || static_cast<unsigned char>(*at) < 0x20) return false;
            if (*at == '"') break;
            escaped = true;
            if (++at == end_) return false;
        }
        text = std::string_view(begin, std::size_t(at - begin));
        at_ = at + 1;
        return true;
    }

    static bool unescape(std::string_view text, std::string& out) {
        out.resize(text.size());  // no escape is shorter than what it stands for
        char* to = out.data();
        for (const char *at = text.data(), *end = at + text.size(); at < end;) {
            if (*at != '\\') {
                *to++ = *at++;
                continue;
            }
            const char kind = at[1];
            at += 2;
            if (kind == 'u') {
                if (!code_point(at, end, to)) return false;
                continue;
            }
            constexpr std::string_view kinds = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
            const std::size_t which = kinds.find(kind);
            if (which == kinds.npos) return false;
            *to++ = meant[which];
        }
        out.resize(std::size_t(to - out.data()));
        return true;
    }

    // Behind \u: four digits, or a pair of surrogates.
    static bool code_point(const char*& at, const char* end, char*& to) {
        std::uint32_t code = 0, low = 0;
        if (!four_digits(at, end, code)) return false;
        if (code >= 0xD800 && code < 0xE000) {
            if (code >= 0xDC00 || end - at < 2 || at[0] != '\\' || at[1] != 'u') return false;
            at += 2;
            if (!four_digits(at, end, low) || low < 0xDC00 || low >= 0xE000) return false;
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        const auto tail = [&](int shift) { *to++ = char(0x80 | (code >> shift & 0x3F)); };
        if (code < 0x80) {
            *to++ = char(code);
        } else if (code < 0x800) {
            *to++ = char(0xC0 | code >> 6);
            tail(0);
        } else if (code < 0x10000) {
            *to++ = char(0xE0 | code >> 12);
            tail(6), tail(0);
        } else {
            *to++ = char(0xF0 | code >> 18);
            tail(12), tail(6), tail(0);
        }
        return true;
    }

    static bool four_digits(const char*& at, const char* end, std::uint32_t& code) {
        if (end - at < 4) return false;
        for (const char* stop = at + 4; at < stop; ++at) {
            const std::uint32_t decimal = std::uint32_t(*at) - '0', letter = (std::uint32_t(*at) | 0x20) - 'a';
            if (decimal > 9 && letter > 5) return false;
            code = code << 4 | (decimal > 9 ? letter + 10 : decimal);
        }
        return true;
    }

    // Without an exponent and not too long for any reader.
    bool number() {
        take('-');
        const char* begin = at_;
        if (!digits() || (*begin == '0' && at_ - begin > 1) || (take('.') && !digits())) return false;
        return at_ - begin < 18;
    }

    bool digits() {
        const char* begin = at_;
        while (at_ < end_ && *at_ >= '0' && *at_ <= '9') ++at_;
        return at_ > begin;
    }

    bool word(std::string_view expected) {
        if (std::string_view(at_, std::size_t(end_ - at_)).substr(0, expected.size()) != expected) return false;
        at_ += expected.size();
        return true;
    }

    void space() {
        while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
    }

    bool take(char expected) {
        if (at_ == end_ || *at_ != expected) return false;
        ++at_;
        return true;
    }

    bool token(char expected) {
        space();
        return take(expected);
    }
};

}  // namespace jatdae
