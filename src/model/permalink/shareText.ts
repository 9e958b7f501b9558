/** A link in the forms of other programs. */

/** The views that a frame in another page can show. */
export const EMBEDS = ["walk", "tlb", "code", "lesson"] as const;

export type Embed = (typeof EMBEDS)[number];

/** The size that embedded views are drawn for, in CSS pixels. */
export const EMBED_SIZE = { width: 600, height: 340 } as const;

/** A line of Markdown; `about` describes what the link opens. */
export function markdownLink(address: string, about: string): string {
  const text = about.replaceAll(/[\\[\]*_`<>]/g, "\\$&");
  // Round brackets would end the address.
  const safe = address.replaceAll("(", "%28").replaceAll(")", "%29");
  return `[${text}](${safe})`;
}

/** The address of the view alone. */
export function embedAddress(address: string, embed: Embed): string {
  const to = new URL(address);
  to.searchParams.set("embed", embed);
  return to.href;
}

/** A frame for a page in HTML. */
export function embedCode(
  address: string,
  embed: Embed,
  title: string,
): string {
  const { width, height } = EMBED_SIZE;
  const src = quoted(embedAddress(address, embed));
  return `<iframe src="${src}" title="${quoted(title)}" width="${width}" height="${height}" style="border: 0" loading="lazy"></iframe>`;
}

function quoted(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;");
}
