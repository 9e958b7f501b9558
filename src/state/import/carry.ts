/** Puts imported traces into links, and reads them from there. */
import type { ImportChoices } from "../../engine/engine";
import type { TraceView } from "../../engine/generated/TraceView";
import { MAX_LINK, SCRIPT_LIMITS } from "../../model/code/code";
import {
  carriedData,
  carriedProgram,
  carriedText,
  DAMAGED,
  MOST_TEXT,
  readCarried,
  readCarriedProgram,
  readCarriedText,
} from "../../model/permalink/carried";
import type { Carried } from "../../model/permalink/permalink";
import type { Build } from "../../model/code/build";
import type { Context } from "../context";
import { set } from "../context";
import type { LinkedText } from "../replay/scene";
import { isSameTrace } from "./sameTrace";

/** The file of an import, how it was read, and the program that made it. */
export interface Imported {
  /** Missing if it was imported while it was made. */
  readonly file?: Blob;
  readonly choices?: ImportChoices;
  readonly code?: string;
  /** How the program is compiled; missing for JavaScript. */
  readonly build?: Build | undefined;
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
  { file, choices = {}, code, build }: Imported,
): Promise<Carried | undefined> {
  let text;
  if (code !== undefined) text = build ? carriedProgram(build, code) : code;
  else {
    if (!file || file.size > MOST_TEXT) return undefined;
    const format = choices.format ?? view.import.format;
    text = carriedText({ ...choices, format }, await textOf(file));
  }
  const word = await codeService.pack(text);
  if (word.length > MAX_LINK) return undefined;
  const kind = code === undefined ? "text" : build ? "program" : "loop";
  return { data: carriedData(kind, word) };
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
  | { readonly code: string; readonly build?: Build }
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
    if (kind === "program")
      return readCarriedProgram(
        await codeService.unpack(word, SCRIPT_LIMITS.code + 1000),
      );
    const { choices, text } = readCarriedText(
      await codeService.unpack(word, MOST_TEXT + 1000),
    );
    return { text: { name, data, choices, file: new Blob([text]) } };
  } catch {
    return { missing: DAMAGED };
  }
}
