/**
 * The browser services of the screen Code: a sandbox, compression, and storage of the code. Most of it loads on use.
 */
import type { ProgramText } from "../../model/code/code";
import type { CodeService } from "../../state/code/service";

const KEY = "pagewalk.code-screen";

export const codeService: CodeService = {
  run: async (code, hooks) =>
    (await import("./runScript")).runProgram(code, hooks),
  pack: async (code) => (await import("./packText")).packText(code),
  unpack: async (word, most) =>
    (await import("./packText")).unpackText(word, most),
  kept: () => {
    try {
      const kept = localStorage.getItem(KEY);
      // Only `keep` writes under this key. Version 0.1 kept one program without a list.
      const codes = JSON.parse(kept ?? "[]") as ProgramText | ProgramText[];
      return Array.isArray(codes) ? codes : [codes];
    } catch {
      return [];
    }
  },
  keep: (codes) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(codes));
    } catch {
      // Storage may be forbidden or full: then the code lasts as long as the page.
    }
  },
};
