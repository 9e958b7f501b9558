import { expect, test } from "vitest";
import { exceptionsHint } from "../../../src/model/code/noExceptions";

test("C++ with exceptions is told that there are none, before the compiler says so", () => {
  for (const text of [
    "try { f(); } catch (...) {}",
    "throw 3;",
    "if (n) throw;",
  ])
    expect(exceptionsHint("c++", text)).toContain("no exceptions");
});

test("words in comments and texts, other languages, and parts of names need no hint", () => {
  const text = '// throw\n/* try { */ puts("catch (x)"); retry(); entry = 1;';
  expect(exceptionsHint("c++", text)).toBeUndefined();
  expect(exceptionsHint("c", "int throw = 1;")).toBeUndefined();
  expect(exceptionsHint("javascript", "try {} catch (e) {}")).toBeUndefined();
});
