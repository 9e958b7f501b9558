import { expect, test } from "vitest";
import { EngineError } from "../../src/engine/engine";
import { isFatal, plainError, rebuild } from "../../src/engine/errors";

const calm = { memoryBytes: 1 << 20, panic: undefined };
const trap = new WebAssembly.RuntimeError("unreachable");

test("an_error_of_the_core_keeps_code_message_and_place", () => {
  const thrown = { code: "bad-config", message: "0 ways", at: { field: "x" } };
  expect(plainError(thrown, calm)).toEqual(thrown);
  expect(isFatal(plainError(thrown, calm))).toBe(false);
});

test("a_plain_error_survives_a_message_and_is_rebuilt", () => {
  const error = new EngineError("bad-trace", "no", { line: 3 });
  const copy = rebuild(structuredClone(plainError(error, calm)));
  expect(copy).toBeInstanceOf(EngineError);
  expect(copy).toMatchObject({ code: "bad-trace", at: { line: 3 } });
});

test.each([
  ["a_trap", trap, calm, "crashed"],
  [
    "a_trap_after_a_panic",
    trap,
    { ...calm, panic: "at lib.rs:\nno" },
    "crashed",
  ],
  ["a_stack_overflow", new RangeError("Maximum call stack"), calm, "crashed"],
  [
    "a_trap_without_a_panic_in_a_large_memory",
    trap,
    { memoryBytes: 3 << 29, panic: undefined },
    "out-of-memory",
  ],
  [
    "another_error_in_a_large_memory",
    new TypeError("a is undefined"),
    { memoryBytes: 3 << 29, panic: undefined },
    "crashed",
  ],
  [
    "a_panic_of_the_allocator",
    trap,
    { ...calm, panic: "memory allocation of 8 bytes failed" },
    "out-of-memory",
  ],
  [
    "a_refused_buffer",
    new RangeError("Array buffer allocation failed"),
    calm,
    "out-of-memory",
  ],
] as const)("%s_is_told_apart", (_, thrown, circumstances, code) => {
  const error = plainError(thrown, circumstances);
  expect(error.code).toBe(code);
  expect(error.message).not.toContain("\n");
  expect(isFatal(error)).toBe(true);
});
