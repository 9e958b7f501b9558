import type { ReactNode } from "react";
import { expect } from "vitest";
import { describePicture, pictureOf, rounded } from "./describe";
import { problemsOf } from "./problems";

/** Checks a picture against its description in a file, and that nothing is wrong with it as a picture. */
export async function expectPicture(
  node: ReactNode,
  file: string,
): Promise<void> {
  expect(problemsOf(pictureOf(node))).toEqual([]);
  await expect(describePicture(node)).toMatchFileSnapshot(file);
}

/** Checks the drawing of a picture as a whole, one element a line: for the few whose geometry is kept. */
export async function expectDrawing(
  node: ReactNode,
  selector: string,
  file: string,
): Promise<void> {
  const svg = pictureOf(node).querySelector(selector)?.outerHTML ?? "";
  const text = rounded(svg)
    .replaceAll(/><\/(?:rect|circle|line|path)>/g, "/>")
    .replaceAll("><", ">\n<");
  await expect(`${text}\n`).toMatchFileSnapshot(file);
}
