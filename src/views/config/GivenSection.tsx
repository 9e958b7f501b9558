/** The page table and the TLB before the first access, as a textbook prints them. */
import type { Given } from "../../engine/generated/Given";
import type { GivenEntry } from "../../engine/generated/GivenEntry";
import type { GivenPage } from "../../engine/generated/GivenPage";
import type { Others } from "../../engine/generated/Others";
import type { OsConfig } from "../../engine/generated/OsConfig";
import {
  ENTRY_COLUMNS,
  PAGE_COLUMNS,
  readEntries,
  readPages,
  withGiven,
} from "../../model/config/given";
import { Icon } from "../shared/Icon";
import { ChoiceField } from "./ChoiceField";
import { problemId, useProblemsWithin } from "./fields";
import { GivenTable } from "./GivenTable";
import { readWords, writeWords } from "./lists";
import { ParsedField } from "./ParsedField";
import { TextField } from "./TextField";
import { without } from "./without";

export interface GivenSectionProps {
  readonly os: OsConfig;
  /** The names of the TLB's arrays. */
  readonly arrays: readonly string[];
  readonly onChange: (os: OsConfig) => void;
}

const PATH = "os.given";

const OTHERS: readonly { readonly value: Others; readonly word: string }[] = [
  { value: "first-touch", word: "mapped at first touch" },
  { value: "fault", word: "page fault" },
];

const FIRST: Given = { pages: [{ page: "0x0" }] };
const NEW_PAGE: GivenPage = { page: "0x0" };
const NEW_ENTRY: GivenEntry = { page: "0x0" };
const NO_PAGES: readonly GivenPage[] = [];
const NO_ENTRIES: readonly GivenEntry[] = [];
const NO_TABLES: readonly string[] = [];

const PAGES_EXAMPLE = "VPN PPN valid\n00  28  1\n01  –   0";
const ENTRIES_EXAMPLE =
  "set tag PPN valid  tag PPN valid\n0   09  0D  1      07  02  1";

export function GivenSection({ os, arrays, onChange }: GivenSectionProps) {
  const { given } = os;
  const change = (next: Given | undefined) => onChange(withGiven(os, next));
  return (
    <section className="config-section" data-testid="given">
      <div className="config-head">
        <h3>Given state</h3>
        {given ? (
          <button
            type="button"
            className="btn"
            onClick={() => change(undefined)}
          >
            <Icon name="trash" /> Remove all
          </button>
        ) : (
          <button type="button" className="btn" onClick={() => change(FIRST)}>
            <Icon name="plus" /> Give a page table
          </button>
        )}
      </div>
      <p className="t2 small">
        {given
          ? "The page table and the TLB before the first access. Numbers are hexadecimal."
          : "Without it, the page table and the TLB are empty before the first access."}
      </p>
      {given ? (
        <GivenFields given={given} arrays={arrays} onChange={change} />
      ) : null}
      <OtherProblems />
    </section>
  );
}

/** Errors that belong to no row. */
function OtherProblems() {
  const problems = useProblemsWithin(PATH);
  const others = problems.filter(({ field }) => !/(pages|tlb)\[/.test(field));
  return others.map(({ field, message }) => (
    <p key={field} id={problemId(field)} className="problem" role="alert">
      {message}
    </p>
  ));
}

interface GivenFieldsProps {
  readonly given: Given;
  readonly arrays: readonly string[];
  readonly onChange: (given: Given) => void;
}

function GivenFields({ given, arrays, onChange }: GivenFieldsProps) {
  const { pages = NO_PAGES, tlb = NO_ENTRIES, tables = NO_TABLES } = given;
  const entryColumns = ENTRY_COLUMNS.filter(
    ({ key }) => key !== "array" || arrays.length > 1,
  );
  return (
    <>
      <div className="config-fields config-os">
        <ChoiceField<Others>
          path={`${PATH}.others`}
          label="other pages"
          name="What happens at pages that are not given"
          help="Mapped at first touch: the operating system gives the page a frame. Page fault: the access ends."
          choices={OTHERS}
          value={given.others ?? "first-touch"}
          onChange={(others) =>
            onChange({
              ...without(given, "others"),
              ...(others !== "first-touch" && { others }),
            })
          }
        />
        <TextField
          path={`${PATH}.next_frame`}
          label="first new frame"
          name="First frame for other pages"
          help="The frame of the first page that is mapped at its first touch, hexadecimal. Empty: the lowest free frame."
          mono
          value={given.next_frame ?? ""}
          onChange={(next_frame) =>
            onChange({
              ...without(given, "next_frame"),
              ...(next_frame !== "" && { next_frame }),
            })
          }
        />
        <ParsedField
          path={`${PATH}.tables`}
          label="frames of the tables"
          name="Frames of the page tables, the root first"
          help="Where page tables are, hexadecimal, in the order in which they are made: the root first. Empty: in the lowest free frames."
          empty="free frames"
          value={tables}
          modelValue={undefined}
          write={writeWords}
          read={readWords}
          onChange={(next) =>
            onChange({
              ...without(given, "tables"),
              ...(next.length > 0 && { tables: [...next] }),
            })
          }
        />
      </div>
      <GivenTable<GivenPage>
        path={`${PATH}.pages`}
        title="Page table"
        noun="page"
        columns={PAGE_COLUMNS}
        rows={pages}
        added={NEW_PAGE}
        example={PAGES_EXAMPLE}
        read={readPages}
        onChange={(next) => onChange({ ...given, pages: next })}
      />
      <GivenTable<GivenEntry>
        path={`${PATH}.tlb`}
        title="TLB contents"
        noun="entry"
        columns={entryColumns}
        rows={tlb}
        added={NEW_ENTRY}
        example={ENTRIES_EXAMPLE}
        read={readEntries}
        onChange={(next) => onChange({ ...given, tlb: next })}
      />
    </>
  );
}
