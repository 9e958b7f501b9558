/** Reads the text of the search: an access by its number, or an address. */
import { count, counted } from "../../model/shared/format";

export type Search =
  | { readonly access: number }
  | { readonly address: string }
  | { readonly problem: string };

export function readSearch(text: string, nAccesses: number): Search {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_,]/g, "");
  if (/^\d+$/.test(word)) return access(Number(word), nAccesses);
  const hex = /^(?:0x)?([0-9a-f]+)$/.exec(word)?.[1]?.replace(/^0+(?=.)/, "");
  if (hex === undefined)
    return {
      problem:
        "Type a number such as 12,345 or an address such as 0x7f3a1c2b5e48.",
    };
  if (hex.length > 16) return { problem: "An address has at most 64 bits." };
  return { address: `0x${hex}` };
}

function access(index: number, nAccesses: number): Search {
  if (index < nAccesses) return { access: index };
  return {
    problem: `The trace has ${counted(nAccesses, "access", "accesses")}: 0 to ${count(nAccesses - 1)}. Write an address with 0x.`,
  };
}
