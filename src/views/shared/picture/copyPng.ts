import { makePicture } from "./makePicture";
import type { PictureChoices } from "./makePicture";
import { pngOf } from "./pictureOf";
import { saveFile } from "./saveFile";

/** Copies a picture; returns false if the browser could only save it as a file. */
export async function copyPng(
  root: Element,
  choices: PictureChoices,
  file = "pagewalk.png",
): Promise<boolean> {
  const png = makePicture(root, choices).then(pngOf);
  try {
    // Safari wants the promise, so that the press still counts.
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    return true;
  } catch {
    saveFile(await png, file);
    return false;
  }
}
