import { expect, test } from "vitest";
import { portable } from "../../scripts/lib/portable.mjs";
import { isTriedWasmPack } from "../../scripts/lib/toolchain.mjs";

test.each([
  ["0.12.1", false],
  ["0.13.0", true],
  ["0.15.1", true],
  ["0.15.99", true],
  ["0.16.0", false],
  ["1.0.0", false],
])("wasm_pack_%s_is_used_%s", (version, isUsed) => {
  expect(isTriedWasmPack(version)).toBe(isUsed);
});

test("cargo_writes_names_in_place_of_folders", () => {
  const folders = { cargo: "/home/me/.cargo", rust: undefined, x: "/a b" };
  expect(portable("wasm32-unknown-unknown", folders)).toEqual({
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS:
      "--remap-path-prefix=/home/me/.cargo=/cargo",
  });
});
