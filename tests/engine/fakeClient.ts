/** An engine on the fake modules, for the tests of its client. */
import { directEngine } from "../../src/engine/directEngine";
import type { MachineConfig } from "../../src/engine/generated/MachineConfig";
import type { OsConfig } from "../../src/engine/generated/OsConfig";
import { fakeModules } from "./fakeModule";

const os: OsConfig = { default: "4K", regions: [], frames: "sequential" };

/** Returns a setup whose machine differs only in its name. */
export function setup(part: Partial<MachineConfig> = {}) {
  return { machine: { name: "m", ...part } as MachineConfig, os };
}

export function start() {
  const log: string[] = [];
  let instances = 0;
  const engine = directEngine(() => {
    instances += 1;
    return Promise.resolve(fakeModules(log));
  });
  return { engine, log, instances: () => instances };
}

export const lines = (n: number) => new Blob(["access\n".repeat(n)]);
