/** Two instances import one file, as a program on the screen Code is packed while it runs. */
import { expect, test } from "vitest";
import { importShared } from "../../src/engine/sharedImport";
import type { SharedImport } from "../../src/engine/sharedImport";
import { wasmEngine } from "./wasm";

/** More than four chunks, so that both instances encode some. */
const N = 600_000;
const TEXT = Array.from(
  { length: N },
  (_, n) =>
    ` ${n % 3 ? "L" : "S"} ${((n * 4099) % (1 << 26)).toString(16)},8\n`,
).join("");
const PIECE = 1 << 18;

function send({ add }: SharedImport, text: string): void {
  const all = new TextEncoder().encode(text);
  for (let at = 0; at < all.length; at += PIECE)
    add(all.subarray(at, at + PIECE));
}

const goesOn = () => new AbortController().signal;

test.each([{ name: "all" }, { name: "some", limit: 450_000 }])(
  "a_shared_import_makes_the_trace_of_one_instance: $name",
  async (options) => {
    const [main, helper, one] = [wasmEngine(), wasmEngine(), wasmEngine()];
    const shared = importShared(main, helper, options, goesOn());
    send(shared, TEXT);
    const trace = shared.end();
    const alone = await one.start("import", {
      ...options,
      file: new Blob([TEXT]),
    });
    expect(await trace).toEqual(alone);
    const { hash } = await main.start("save", {});
    expect(hash).toBe((await one.start("save", {})).hash);
  },
);

test("a_shared_import_that_is_given_up_keeps_the_trace", async () => {
  const [main, helper] = [wasmEngine(), wasmEngine()];
  const file = new Blob([" L 1000,8\n"]);
  await main.start("import", { file, name: "old" });
  const shared = importShared(main, helper, { name: "new" }, goesOn());
  send(shared, TEXT.slice(0, PIECE));
  shared.drop();
  await expect(shared.trace).rejects.toMatchObject({ code: "cancelled" });
  const { hash } = await main.start("save", {});
  const abort = new AbortController();
  const other = importShared(main, helper, { name: "new" }, abort.signal);
  send(other, TEXT.slice(0, PIECE));
  abort.abort();
  await expect(other.trace).rejects.toMatchObject({ code: "cancelled" });
  expect((await main.start("save", {})).hash).toBe(hash);
});

test("an_error_of_a_shared_import_is_that_of_the_file", async () => {
  const name = "x.txt";
  const [main, helper] = [wasmEngine(), wasmEngine()];
  const shared = importShared(main, helper, { name }, goesOn());
  send(shared, "?? ??");
  await expect(shared.end()).rejects.toMatchObject({ code: "unknown-format" });
});
