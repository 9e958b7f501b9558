import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { say } from "./output.mjs";
import { inRoot, simCore } from "./paths.mjs";
import { ask, run } from "./run.mjs";

const folder = path.join(simCore, "cli", "sweeps");
const windows = process.platform === "win32";

/**
 * Runs the example that divides a sweep among the processes of a Dask cluster, and compares what they write
 * with one run. It needs Python 3 and its packages. If they are missing, it prints that and counts nothing.
 * @returns {Promise<{passed: number, failed: number}>}
 */
export async function sweepExample() {
  const python = await ensurePython();
  if (python === undefined) return { passed: 0, failed: 0 };
  // The program is already built for its own tests.
  const words = ["test", "-q", "--workspace", "--no-run", "--test", "commands"];
  const built = await run("cargo", words, { cwd: simCore });
  const here = mkdtempSync(path.join(tmpdir(), "pagewalk-sweep-"));
  try {
    const ok = built.code === 0 && (await agrees(python, here));
    return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
  } finally {
    rmSync(here, { recursive: true, force: true });
  }
}

async function agrees(python, here) {
  const target = process.env.CARGO_TARGET_DIR ?? path.join(simCore, "target");
  const pagewalk = path.join(
    target,
    "debug",
    `pagewalk${windows ? ".exe" : ""}`,
  );
  const file = (name) => path.join(here, name);
  const shipped = readFileSync(path.join(folder, "stlb.json"), "utf8");
  const short = shipped.replaceAll(/"accesses": \d+/g, '"accesses": 2000');
  writeFileSync(file("stlb.json"), short);
  const script = path.join(folder, "sweep_dask.py");
  const words = ["--parts", "5", "--workers", "2", "--pagewalk", pagewalk];
  const outs = [file("parts.jsonl"), file("one.jsonl")];
  const runs = [
    [python, [script, file("stlb.json"), "--out", outs[0], ...words]],
    [pagewalk, ["sweep", file("stlb.json"), "--out", outs[1]]],
  ];
  for (const [program, args] of runs)
    if ((await run(program, args)).code !== 0) return false;
  const texts = ["parts", "one"].map((name) =>
    ["jsonl", "csv"].map((end) => readFileSync(file(`${name}.${end}`), "utf8")),
  );
  const same = texts[0].every((text, nth) => text === texts[1][nth]);
  if (!same) say("The parts and the one run differ.");
  return same;
}

/**
 * Returns a Python with the packages of the example, which is kept for the next run; `undefined` if there is none.
 */
async function ensurePython() {
  const requirements = path.join(folder, "requirements.txt");
  const hash = createHash("sha256").update(readFileSync(requirements));
  const name = `python-${hash.digest("hex").slice(0, 12)}`;
  const home = inRoot("node_modules", ".cache", name);
  const python = path.join(home, windows ? "Scripts" : "bin", "python");
  const has = () =>
    ask(python, ["-c", "import dask.distributed"]) !== undefined;
  if (existsSync(python) && has()) return python;
  const system = windows ? "python" : "python3";
  if (ask(system, ["-c", "import venv, ensurepip"]) === undefined) {
    say("Not run: there is no Python 3 with venv.");
    return undefined;
  }
  const install = [
    "-m",
    "pip",
    "install",
    "-q",
    "--timeout",
    "10",
    "--retries",
  ];
  const quiet = { capture: true };
  await run(system, ["-m", "venv", home], quiet);
  await run(python, [...install, "1", "-r", requirements], quiet);
  if (has()) return python;
  say("Not run: the Python packages of the example cannot be installed.");
  return undefined;
}
