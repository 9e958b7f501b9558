/** Draws a part of the page as it is, or in light colours, with a caption or without a background. */
import type { Caption } from "./caption";
import { pictureOf } from "./pictureOf";
import type { Picture } from "./pictureOf";

export interface PictureChoices {
  readonly caption?: Promise<Caption | undefined> | undefined;
  /** In light colours, also while the page is dark. */
  readonly light?: boolean;
  /** Without a background. */
  readonly clear?: boolean;
}

export async function makePicture(
  root: Element,
  { light = false, clear, caption: promised }: PictureChoices,
): Promise<Picture> {
  const caption = await promised;
  const choices = { caption, ...(clear !== undefined && { clear }) };
  if (!light) return pictureOf(root, choices);
  const { dataset } = document.documentElement;
  const before = dataset.theme;
  dataset.theme = "light";
  try {
    // Canvases are drawn again at the next frame.
    await frames(2);
    return pictureOf(root, choices);
  } finally {
    if (before === undefined) delete dataset.theme;
    else dataset.theme = before;
  }
}

function frames(count: number): Promise<void> {
  return new Promise((resolve) => {
    const next = (left: number) => {
      if (left === 0) resolve();
      else requestAnimationFrame(() => next(left - 1));
    };
    next(count);
  });
}
