import { expect, test } from "vitest";
import { startApp } from "./app";

/** Accesses of a trace, by their number. */
const ADDRESSES = ["0x1000", "0x1008", "0x2000", "0x1000", "0x1010", "0x2008"];

test.each([
  ["0x1000", 0, 3, "Access 3 starts at 0x1000."],
  ["0x1000", 4, 3, "Access 3 starts at 0x1000."],
  ["0x1010", 0, 4, "Access 4 starts at 0x1010."],
  ["0x1010", 4, 4, "No other access starts at 0x1010."],
  ["0x1018", 0, 1, "No access starts at 0x1018; access 1 is to its page."],
  ["0x2010", 5, 2, "No access starts at 0x2010; access 2 is to its page."],
  [
    "0x2",
    0,
    2,
    "No access is to the page of address 0x2; this is page number 0x2, at 0x2000.",
  ],
  ["0x3000", 0, 0, undefined],
])(
  "the_search_for_%s_from_access_%i_ends_at_%i",
  async (address, from, to, says) => {
    const { actions, engine, state } = await startApp({ access: from });
    engine.addresses = ADDRESSES;
    expect(await actions.findAddress(address)).toBe(says !== undefined);
    expect(state().cursor).toBe(to);
    expect(state().notices.map(({ text }) => text)).toEqual(
      says === undefined ? [] : [says],
    );
  },
);

test("a_page_with_one_access_says_that_there_is_no_other", async () => {
  const { actions, engine, state } = await startApp({ access: 1 });
  engine.addresses = ["0x1000", "0x2000"];
  await actions.findAddress("0x2008");
  expect(state().cursor).toBe(1);
  expect(state().notices[0]?.text).toBe(
    "No access starts at 0x2008, and no other one is to its page.",
  );
});
