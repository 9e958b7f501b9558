/** Colours C and C++ in the editor: comments, words, numbers, texts and lines of the preprocessor. */
import { StreamLanguage } from "@codemirror/language";
import type { StreamParser } from "@codemirror/language";

const WORDS = new Set(
  "alignas alignof asm auto bool break case catch char class const constexpr const_cast continue decltype default delete do double dynamic_cast else enum explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private protected public register reinterpret_cast restrict return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typename union unsigned using virtual void volatile while int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t intptr_t uintptr_t".split(
    " ",
  ),
);

interface State {
  isComment: boolean;
}

const parser: StreamParser<State> = {
  name: "c",
  startState: () => ({ isComment: false }),
  token: (stream, state) => {
    if (state.isComment) {
      state.isComment = !stream.skipTo("*/");
      if (state.isComment) stream.skipToEnd();
      else stream.match("*/");
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.isComment = true;
      return "comment";
    }
    if (stream.sol() || stream.string.slice(0, stream.pos).trim() === "")
      if (stream.match(/^#\s*\w+/)) return "keyword";
    if (stream.match(/^"(\\.|[^"\\])*"?|^'(\\.|[^'\\])*'?/)) return "string";
    if (stream.match(/^(0x[\da-f']+|[\d']*\.?\d[\d.']*(e[+-]?\d+)?)[ulf]*/i))
      return "number";
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (Array.isArray(word)) {
      if (WORDS.has(word[0])) return "keyword";
      return stream.match(/^\s*\(/, false) ? "variableName.function" : null;
    }
    stream.next();
    return null;
  },
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
  },
};

export const cLanguage = StreamLanguage.define(parser);
