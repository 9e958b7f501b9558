/** The sentences of a Markdown page, and the words that the glossary replaces. */

/** The most words that a sentence of README, ARCHITECTURE and `docs/` may have. */
export const MOST_WORDS = 35;

/** Returns a text without code, link targets and emphasis. Inline code counts as one word. */
function plain(markdown: string): string {
  return markdown
    .replace(/`[^`]*`/g, "code")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\*\*|\*|^#+ /g, "");
}

/** The blocks of text in a page: paragraphs, headings, list items and table cells. */
function blocksOf(markdown: string): string[] {
  const blocks: string[] = [];
  let open = "";
  const close = () => {
    if (open) blocks.push(open);
    open = "";
  };
  for (const line of markdown.replace(/^```[^]*?^```$/gm, "").split("\n")) {
    const text = line.trim();
    const isRow = text.startsWith("|");
    if (!text || isRow || /^(#|- |\d+\. )/.test(text)) close();
    if (/^#/.test(text)) blocks.push(text);
    else if (isRow) blocks.push(...cellsOf(text));
    else if (text) open += `${open && " "}${text.replace(/^(- |\d+\. )/, "")}`;
  }
  close();
  return blocks;
}

/** The cells of a table row; none of the row under the titles. */
export function cellsOf(row: string): string[] {
  if (/^[|\s:-]+$/.test(row)) return [];
  return row
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

/** The sentences of a page, each without code and links. */
export function sentencesOf(markdown: string): string[] {
  return blocksOf(markdown)
    .flatMap((block) => plain(block).split(/(?<=[.!?][)”"]?)\s+/))
    .filter((sentence) => /\w/.test(sentence));
}

/** The sentences that are longer than a reader can follow, with their number of words. */
export function longSentences(markdown: string): string[] {
  return sentencesOf(markdown).flatMap((sentence) => {
    const n = sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;
    return n > MOST_WORDS ? [`${n} words: ${sentence}`] : [];
  });
}

/** The words in the last column of the glossary's tables. */
export function replacedWords(glossary: string): string[] {
  return glossary
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .flatMap((line) => cellsOf(line).slice(2))
    .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)])
    .map(([, word]) => word ?? "");
}

/** The sentences that have one of these words outside code. */
export function sentencesWith(
  words: readonly string[],
  markdown: string,
): string[] {
  const any = new RegExp(`\\b(?:${words.join("|")})\\b`, "i");
  return sentencesOf(markdown).flatMap((sentence) => {
    const found = any.exec(sentence);
    return found ? [`${found[0]}: ${sentence}`] : [];
  });
}
