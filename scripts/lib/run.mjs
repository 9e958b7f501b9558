import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { atEnd } from "./ending.mjs";
import { isInBlock, printer, say } from "./output.mjs";
import { inRoot, root } from "./paths.mjs";

/** Ends a script with one line that the reader can act on, and no stack trace. */
export class Stop extends Error {}

const running = new Set();
atEnd(() => running.forEach((child) => child.kill()));

/**
 * Runs a program to its end and shows what it prints.
 * With `capture` the output is returned as well (the program then sees a pipe, not a terminal).
 * @returns {Promise<{code: number, output: string}>}
 */
export function run(command, args, { cwd = root, env, capture = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio:
        capture || isInBlock()
          ? ["ignore", "pipe", "pipe"]
          : ["ignore", "inherit", "inherit"],
    });
    running.add(child);
    let output = "";
    const tee = (from, to) => {
      const print = printer(to);
      from?.setEncoding("utf8").on("data", (text) => {
        output += text;
        print(text);
      });
    };
    tee(child.stdout, process.stdout);
    tee(child.stderr, process.stderr);
    child.on("exit", () => running.delete(child));
    child.on("error", ({ message }) => {
      say(message);
      resolve({ code: 127, output: message });
    });
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs a program like `run`, and ends the script if the program fails. `what` names the step. */
export async function mustRun(what, command, args, options) {
  const { code } = await run(command, args, options);
  if (code !== 0)
    throw new Stop(`${what} failed (exit code ${code}); see above.`);
}

/** Returns the output of a short, silent command; undefined if it cannot be run or fails. */
export function ask(command, args, cwd = root) {
  const { status, stdout } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
  });
  return status === 0 ? stdout.trim() : undefined;
}

/** Returns the full path of a program on PATH, or in one of the given folders. */
export function which(name, ...more) {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), ...more];
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  for (const folder of folders.filter(Boolean)) {
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      if (isProgram(file)) return file;
    }
  }
  return undefined;
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Returns the arguments with which Node runs the program of an npm package on every system. */
export function nodeProgram(name, ...args) {
  const folder = inRoot("node_modules", name);
  const { bin } = JSON.parse(
    readFileSync(path.join(folder, "package.json"), "utf8"),
  );
  const file =
    typeof bin === "string" ? bin : bin[name === "typescript" ? "tsc" : name];
  return [process.execPath, [path.join(folder, file), ...args]];
}
