import { expect, test } from "vitest";
import { readMessage } from "../../../src/app/code/messages";

const GOOD: readonly [data: unknown, message: object][] = [
  [
    { chunk: new ArrayBuffer(8), n: 4 },
    { what: "chunk", records: new Uint32Array(1) },
  ],
  [{ output: "x" }, { what: "output", text: "x" }],
  [{ done: { status: 3 } }, { what: "done", status: 3 }],
  [{ done: { status: {} } }, { what: "done", status: 0 }],
  [{ stopped: "accesses" }, { what: "stopped", limit: "accesses" }],
  [{ stopped: "time" }, { what: "stopped", limit: "time" }],
  [
    { failed: { message: "unreachable", at: [7, -1, "8"] } },
    {
      what: "failed",
      message: "unreachable",
      at: [7],
      last: new Uint32Array(),
      size: 0,
    },
  ],
  [
    { failed: { message: "", at: [], last: new ArrayBuffer(8), size: 64 } },
    {
      what: "failed",
      message: "",
      at: [],
      last: new Uint32Array(2),
      size: 64,
    },
  ],
  [
    { failed: { message: "", at: [], last: new ArrayBuffer(8192), size: -1 } },
    { what: "failed", message: "", at: [], last: new Uint32Array(), size: 0 },
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
  { stopped: "space" },
];

test.each(BAD)("%o is refused", (data) => {
  expect(readMessage(data)).toBeUndefined();
});
