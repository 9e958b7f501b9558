/** Words about a posed question and its answer that no lesson writes itself. */
import type { Graded } from "../../engine/generated/Graded";
import type { Mistake } from "../../engine/generated/Mistake";
import type { Posed } from "../../engine/generated/Posed";
import { say } from "../replay/parts";
import { fill } from "./text";
import type { StepText, Words } from "./text";

/** The places of a question's text: `{address}`, `{kind}`, `{page}`, `{array}`, `{size}`. */
export function valuesOf({
  address,
  access: kind,
  page = "",
  array = "TLB",
  size = "",
}: Posed): Readonly<Record<string, string>> {
  return { address, kind, page, array, size };
}

/** What a reader probably did, by mistake. */
const MISTAKES: Readonly<Record<Mistake, string>> = {
  "offset-for-set":
    "Those are bits of the offset. The set is in the page number.",
  "tag-for-set": "That is the tag. The set is the low bits of the page number.",
  "page-for-set":
    "That is the whole page number. Only its low bits are the set.",
  "low-bits-for-xor":
    "Those are the low bits alone. This array combines them with the next bits.",
  "set-for-tag": "That is the set. The tag is the rest of the page number.",
  "page-for-tag":
    "That is the whole page number. The tag lacks the bits of the set.",
  "offset-for-tag":
    "Those are bits of the offset. The tag is in the page number.",
  "tag-for-page":
    "That is the tag: the page number without the bits of the set.",
  "offset-for-page":
    "That is the offset. The page number is the bits above it.",
  "address-for-page": "That is the address. The page number lacks the offset.",
  "frame-for-page":
    "That is the frame, which the translation gives. The page number is in the address.",
  "page-for-offset":
    "That is the page number. The offset is the bits below it.",
  "address-for-offset":
    "That is the whole address. The offset is its low bits.",
  "page-for-index":
    "That is the whole page number. An index is only the bits of one level.",
  "offset-for-index":
    "Those are bits of the offset. The indices are in the page number.",
  "other-page-size": "That is right for pages of another size.",
  "other-level": "That belongs to another level.",
  "set-for-way": "That is the set. The way is the place inside the set.",
  "newest-for-oldest":
    "That entry was used last. The one that leaves has been unused for longest.",
  "first-in-for-least-recent": "That entry came first, but it was used later.",
  "least-recent-for-first-in":
    "That entry has been unused for longest, but this array evicts the one that came first.",
  "victim-for-empty": "The set has an empty way, so no entry leaves.",
  "empty-for-victim": "The set is full, so an entry leaves.",
  "other-set": "That entry is in another set.",
  "hit-for-miss": "No entry of the set has this tag.",
  "hit-for-fault":
    "No entry of the set has this tag, and the walk finds no page.",
  "miss-for-hit": "An entry has this page number, so there is no walk.",
  "miss-for-fault":
    "A miss finds its page in the page table. Here the walk finds none.",
  "fault-for-hit": "An entry has this page number, so nothing can be missing.",
  "fault-for-miss":
    "The TLB lacks the page, but the page table has it: a miss.",
  "first-touch-for-miss": "The page is mapped already: this is no first touch.",
  "levels-for-references":
    "That is the number of levels. A walk cache saves some of the reads.",
  "one-table-too-many": "One less: the last entry leads to the page itself.",
  "guest-for-nested":
    "Those are the entries of the guest. Each address in them needs a walk of the host, too.",
  "table-for-entry":
    "That is where the table begins. Add the index times the size of an entry.",
  "index-for-address":
    "That is the index. The address is the table plus the index times the size of an entry.",
  "index-without-size":
    "An entry has several bytes: multiply the index by them.",
  "value-for-address":
    "That is what the entry holds. The question is where it is.",
  "present-bit": "Bit 0 says whether the page was present.",
  "write-bit": "Bit 1 says whether the access was a write.",
  "user-bit": "Bit 2 says whether the access came from user mode.",
  "fetch-bit": "Bit 4 says whether the access fetched an instruction.",
  "offset-lost": "That is the start of the frame. Add the offset.",
  "virtual-for-physical":
    "That is the virtual address. The frame replaces the page number.",
  "frame-for-physical":
    "That is the number of the frame. Its address has the offset behind it.",
  "guest-for-host":
    "That is the address in the guest. The host translates it once more.",
  "lookup-lost": "The miss of the second level costs cycles, too.",
  "overhead-lost": "The start of the walk costs cycles, too.",
  "references-for-cycles":
    "That is the number of references. Each takes the cycles of the cache that has it.",
  "decimal-for-hexadecimal":
    "The number is right in decimal; the answer is hexadecimal.",
  "hexadecimal-for-decimal":
    "The number is right in hexadecimal; the answer is decimal.",
  "other-base": "That is the right number in another base.",
};

/** What is said about an answer: the lesson's own words, or general ones. */
export function verdictOf(
  { right, mistake }: Graded,
  text: StepText,
  posed: Posed,
): Words {
  const own = right
    ? text.right
    : mistake === undefined
      ? undefined
      : text.wrong[mistake];
  if (own) return fill(own, valuesOf(posed));
  if (right) return say`Right.`;
  return mistake === undefined
    ? say`Not yet. Look at the picture again, or take a hint.`
    : say`${MISTAKES[mistake]}`;
}
