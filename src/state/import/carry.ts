/** Puts imported traces into links, and reads them from there. */
import type { ImportChoices } from "../../engine/engine";
import type { TraceView } from "../../engine/generated/TraceView";
import { MAX_LINK, SCRIPT_LIMITS } from "../../model/code/code";
import {
  carriedData,
  carriedText,
  DAMAGED,
  MOST_TEXT,
  readCarried,
  readCarriedText,
} from "../../model/permalink/carried";
import type { Carried } from "../../model/permalink/permalink";
import type { Context } from "../context";
import { set } from "../context";
import type { LinkedText } from "../replay/scene";
import { isSameTrace } from "./sameTrace";

/** The file of an import, how it was read, and the program that made it. */
export interface Imported {
  readonly file: Blob;
  readonly choices?: ImportChoices;
  readonly code?: string;
  /** Where it was fetched. */
  readonly address?: string;
}

/** Prepares the link of a trace that was just imported; `undefined` if others need its file. */
export async function carry(
  context: Context,
  view: TraceView,
  request: Imported,
): Promise<Carried | undefined> {
  const { address } = request;
  const carried =
    address === undefined
      ? await dataOf(context, view, request).catch(() => undefined)
      : { address };
  if (isSameTrace(view, context.store.getState().trace))
    set(context, { carried });
  return carried;
}

async function dataOf(
  { codeService }: Context,
  view: TraceView,
  { file, choices = {}, code }: Imported,
): Promise<Carried | undefined> {
  if (code === undefined && file.size > MOST_TEXT) return undefined;
  const format = choices.format ?? view.import.format;
  const word = await codeService.pack(
    code ?? carriedText({ ...choices, format }, await textOf(file)),
  );
  if (word.length > MAX_LINK) return undefined;
  return { data: carriedData(code === undefined ? "text" : "loop", word) };
}

/** Throws if the file is binary. */
async function textOf(file: Blob): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const text = decoder.decode(await file.arrayBuffer());
  if (text.includes("\0")) throw new Error("This is no text.");
  return text;
}

/** What the data of a link holds, or why it cannot be read, as the end of a sentence. */
export async function unpackCarried(
  { codeService }: Context,
  name: string,
  data: string,
): Promise<
  | { readonly text: LinkedText }
  | { readonly code: string }
  | { readonly missing: string }
> {
  let kind, word;
  try {
    ({ kind, word } = readCarried(data));
  } catch (thrown) {
    return { missing: thrown instanceof Error ? thrown.message : DAMAGED };
  }
  try {
    if (kind === "loop")
      return { code: await codeService.unpack(word, SCRIPT_LIMITS.code) };
    const { choices, text } = readCarriedText(
      await codeService.unpack(word, MOST_TEXT + 1000),
    );
    return { text: { name, data, choices, file: new Blob([text]) } };
  } catch {
    return { missing: DAMAGED };
  }
}
