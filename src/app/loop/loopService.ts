/**
 * The browser services for loops: a sandbox, compression, and storage of the code. Most of it loads on use.
 */
import type { LoopCode } from "../../model/loop/loop";
import type { LoopService } from "../../state/loop/service";

const KEY = "pagewalk.loop";

export const loopService: LoopService = {
  run: async (code, hooks) => (await import("./runLoop")).runLoop(code, hooks),
  pack: async (code) => (await import("./packText")).packText(code),
  unpack: async (word, most) =>
    (await import("./packText")).unpackText(word, most),
  kept: () => {
    try {
      const kept = localStorage.getItem(KEY);
      // Only `keep` writes under this key. Version 0.1 kept one program without a list.
      const loops = JSON.parse(kept ?? "[]") as LoopCode | LoopCode[];
      return Array.isArray(loops) ? loops : [loops];
    } catch {
      return [];
    }
  },
  keep: (loops) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(loops));
    } catch {
      // Storage may be forbidden or full: then the code lasts as long as the page.
    }
  },
};
