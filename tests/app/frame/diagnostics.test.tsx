import { expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { diagnostics } from "../../../src/app/frame/diagnostics";
import { startApp } from "../../state/app";

test("diagnostics_have_the_version_and_the_errors_but_no_name_of_a_file", async () => {
  const { actions, engine, state } = await startApp({ access: 42 });
  await actions.importFile({ file: new Blob(["xxx"]), name: "secret.log" });
  engine.failNext("configure", "bad-config", "l1");
  await actions.chooseCpu("amd-zen2");
  const text = diagnostics(state());
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as {
    version: string;
  };
  expect(text).toContain(`Pagewalk ${version}\n`);
  expect(text).toContain("Trace: csv, 3 accesses, 3 bytes");
  expect(text).toContain("Error bad-config: ");
  expect(text).not.toContain("secret");
  expect(readFileSync("CHANGELOG.md", "utf8")).toContain(`## ${version}\n`);
});
