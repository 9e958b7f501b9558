/** Texts of a page that a reader cannot read: cut, outside of their panel, or across each other. */
import type { Page } from "playwright-core";
import { settled } from "./browser";

/**
 * Returns what is wrong with the texts inside `where`, HTML and SVG, one line each. Panels that scroll sideways
 * count as cut.
 */
export async function wrongTexts(page: Page, where: string): Promise<string[]> {
  await settled(page);
  return page.evaluate((where) => {
    interface Seen {
      readonly words: string;
      readonly box: DOMRect;
    }
    const found = new Set<string>();
    const seen: Seen[] = [];
    /** The part of the page that the boxes around an element show. */
    const shownBy = (element: Element) => {
      let [left, right, top, bottom] = [0, innerWidth, -Infinity, Infinity];
      for (
        let each: Element | null = element;
        each && each !== document.body;
        each = each.parentElement
      ) {
        const { overflowX, display } = getComputedStyle(each);
        const clips = overflowX !== "visible" || each instanceof SVGSVGElement;
        // An element without a box of its own clips nothing.
        if (!clips || display === "contents") continue;
        const box = each.getBoundingClientRect();
        left = Math.max(left, box.left);
        right = Math.min(right, box.right);
        top = Math.max(top, box.top);
        bottom = Math.min(bottom, box.bottom);
      }
      return { left, right, top, bottom };
    };
    const look = (node: Text, element: Element) => {
      // Only a screen reader has it.
      if (getComputedStyle(element).clipPath !== "none") return;
      const words = node.data.trim();
      const shown = shownBy(element);
      const panel = element.closest("section, aside")?.getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        if (box.width < 1) continue;
        if (box.left < shown.left - 1 || box.right > shown.right + 1)
          found.add(`cut: ${words}`);
        // A panel without a box of its own has no edges.
        if (panel?.width && (box.left < panel.left || box.right > panel.right))
          found.add(`outside of its panel: ${words}`);
        // Lines stand closer than their boxes are high.
        const top = Math.max(box.top, shown.top) + 2;
        const bottom = Math.min(box.bottom, shown.bottom) - 2;
        if (bottom > top)
          seen.push({
            words,
            box: new DOMRect(box.left, top, box.width, bottom - top),
          });
      }
    };
    const hidden = ".sr-only, .visually-hidden, select";
    for (const root of document.querySelectorAll(where)) {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const node = texts.currentNode as Text;
        const element = node.parentElement;
        if (!element?.checkVisibility({ visibilityProperty: true })) continue;
        if (node.data.trim() !== "" && !element.closest(hidden))
          look(node, element);
      }
    }
    seen.forEach(({ words, box }, at) => {
      for (const { words: others, box: other } of seen.slice(at + 1)) {
        const wide =
          Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const high =
          Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        if (wide > 1 && high > 1) found.add(`overlap: ${words} | ${others}`);
      }
    });
    return [...found];
  }, where);
}
