/** Splits a document of headings and lists, whose items begin with words in bold. */

export interface Section {
  readonly title: string;
  readonly items: readonly Item[];
}

export interface Item {
  /** The words in bold. */
  readonly lead: string;
  readonly text: string;
}

/** Returns the sections in order. Paragraphs outside lists are left out. */
export function sections(markdown: string): readonly Section[] {
  const parts = markdown.split(/^#+ /m).slice(1);
  return parts.map((part) => {
    const end = part.indexOf("\n");
    const items = part.slice(end).split(/^- /m).slice(1);
    return { title: part.slice(0, end).trim(), items: items.map(item) };
  });
}

function item(text: string): Item {
  const words = text.trim().replace(/\s+/g, " ").replaceAll("`", "");
  const found = /^\*\*(.+?)\*\*(.*)$/.exec(words);
  return found
    ? { lead: found[1] ?? "", text: (found[2] ?? "").trim() }
    : { lead: "", text: words };
}
