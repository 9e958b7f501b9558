/** Tests of the text form of a picture: each test has markup and the expected text. */
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { describeChange, describePicture, rounded } from "./describe";

const check = (node: ReactNode, text: string) => {
  expect(describePicture(node)).toBe(`${text.trim()}\n`);
};

test("elements_have_their_role_name_content_and_states", () => {
  check(
    <section aria-labelledby="title">
      <h2 id="title">Walk</h2>
      <button type="button" aria-pressed="false" title="Show only 4K pages">
        4K
      </button>
      <button type="button" aria-label="Step" aria-disabled="true">
        <svg width="16" height="16">
          <path d="M5 3l7 5z" fill="currentColor" />
        </svg>
      </button>
      <label>
        access <input type="text" defaultValue="7" aria-invalid />
      </label>
    </section>,
    `
region "Walk"
  heading "Walk"
  button "4K" up ‹Show only 4K pages›
  button "Step" shows "(#1y7)" disabled
  textbox "access" invalid = 7`,
  );
});

test("neighbours_make_one_line_with_gaps_states_and_shapes", () => {
  check(
    <p>
      <b>in</b> <code className="ink-walk">0x2b5</code>
      <span>set 5</span>
      <svg width="9" height="9">
        <rect width="5" height="5" fill="var(--p4k)" />
      </svg>
      4K <kbd>W</kbd>
    </p>,
    `"*in* 0x2b5{ink-walk}|set 5(--p4k)4K [W]"`,
  );
});

test("a_list_stands_in_lines_and_a_long_one_in_one_line", () => {
  const list = (count: number) => (
    <ol>
      {Array.from({ length: count }, (_, at) => (
        <li key={at} className={at === 1 ? "set" : undefined} title="a bit">
          {at}
        </li>
      ))}
    </ol>
  );
  check(list(2), `list\n  - "0" ‹a bit›\n  -{set} "1" ‹a bit›`);
  check(list(9), `list: 0 | 1{set} | 2 | 3 | 4 | 5 | 6 | 7 | 8`);
});

test("a_drawing_is_rows_of_boxes_within_boxes", () => {
  check(
    <svg viewBox="0 0 200 100" aria-hidden="true">
      <rect className="tlb-cell tlb-cell-age3" x="110" width="80" height="20" />
      <text className="mono" x="120" y="14">
        3d0
      </text>
      <rect className="tlb-cell tlb-cell-walk" width="100" height="20" />
      <text className="b ink-walk" x="10" y="14">
        2b5
      </text>
      <text className="faint" x="10" y="54">
        way 1
      </text>
      <rect x="60" y="40" width="40" height="20" fill="url(#skip)" />
      <rect x="110" y="40" width="40" height="20" fill="url(#skip)" />
      <line className="tlb-grid" x1="0" y1="0" x2="0" y2="100" />
      <rect className="tlb-set" x="-2" y="-2" width="104" height="24" />
    </svg>,
    `
drawing 200×100
  cell-walk[*2b5*]{ink-walk} | cell-age3[3d0]
  ~way 1~ | rect(skip) ×2
  grid
  set around 2b5`,
  );
});

test("of_named_marks_that_differ_in_numbers_the_first_is_written", () => {
  check(
    <svg viewBox="0 0 9 20" role="presentation">
      <rect role="option" aria-label="entry 3 at 0x1a" aria-selected="false" />
      <rect role="option" aria-label="entry 4 at 0x2b" aria-selected="false" />
      <rect role="option" aria-label="entry 5 at 0x3c" aria-selected="true" />
    </svg>,
    `
drawing 9×20
  option "entry 3 at 0x1a" and 1 like it
  option "entry 5 at 0x3c" selected`,
  );
});

test("a_text_of_a_drawing_that_is_read_aloud_is_marked", () => {
  check(
    <svg viewBox="0 0 9 20">
      <text x="0" y="9">
        9
      </text>
    </svg>,
    "drawing 9×20\n  spoken 9",
  );
});

test("a_variant_is_what_goes_and_what_comes", () => {
  expect(
    describeChange(
      <ul>
        <li>both</li>
        <li>wide</li>
      </ul>,
      <ul>
        <li>both</li>
        <li>narrow</li>
      </ul>,
    ),
  ).toBe('- - "wide"\n+ - "narrow"');
});

test("numbers_keep_one_digit", () => {
  expect(rounded('x="89.39999999" y=".04" d="M-1.25 7l.9.9"')).toBe(
    'x="89.4" y="0" d="M-1.3 7l.9.9"',
  );
});
