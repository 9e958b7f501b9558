import type { ReactNode } from "react";
import { expect, vi } from "vitest";
import { describePicture, pictureOf, rounded } from "./describe";
import { problemsOf } from "./problems";

/** Compares a picture with its description in a file, and checks that it has none of the errors of `problems.ts`. */
export async function expectPicture(
  node: ReactNode,
  file: string,
): Promise<void> {
  // The first drawing starts the loading of parts that are not needed on opening.
  pictureOf(node);
  await vi.dynamicImportSettled();
  expect(problemsOf(pictureOf(node))).toEqual([]);
  await expect(describePicture(node)).toMatchFileSnapshot(file);
}

/** Compares the whole drawing of a picture with a file, one element a line. Few pictures keep their geometry. */
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
