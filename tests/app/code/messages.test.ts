import { expect, test } from "vitest";
import { readMessage } from "../../../src/app/code/messages";

const GOOD: readonly [data: unknown, message: object][] = [
  [
    { chunk: new ArrayBuffer(8), n: 4 },
    { what: "chunk", bytes: new ArrayBuffer(4) },
  ],
  [
    { done: { output: "x", status: 3 } },
    { what: "done", output: "x", status: 3 },
  ],
  [{ done: { status: {} } }, { what: "done", output: "", status: 0 }],
  [{ tooMany: { output: "x" } }, { what: "too-many", output: "x" }],
  [
    { failed: { message: "unreachable", output: "x", at: [7, -1, "8"] } },
    { what: "failed", message: "unreachable", output: "x", at: [7] },
  ],
];

test.each(GOOD)("%o is read", (data, message) => {
  expect(readMessage(data)).toEqual(message);
});

const BAD: readonly unknown[] = [
  undefined,
  "done",
  {},
  { chunk: new ArrayBuffer(8), n: 12 },
  { chunk: new ArrayBuffer(8), n: 3 },
  { chunk: [1, 2], n: 2 },
  { done: 1 },
];

test.each(BAD)("%o is refused", (data) => {
  expect(readMessage(data)).toBeUndefined();
});
