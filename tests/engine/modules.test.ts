/** Tests of the calls that each of the two modules has. */
import { expect, test } from "vitest";
import { decode } from "../../src/engine/binding";
import type { WasmModule, WasmSession } from "../../src/engine/binding";
import type { Name } from "../../src/engine/calls";
import type { CpuModel } from "../../src/engine/generated/CpuModel";
import { CALLS, isTask, ruleOf, TASKS } from "../../src/engine/schedule";
import { loadModules } from "./wasm";

test("both_modules_have_the_cpu_models_and_the_whole_one_their_sources_and_other_names", async () => {
  const modules = await loadModules();
  const cpus = (module: WasmModule) =>
    decode(
      module.newSession().call("cpus", "{}", new Uint8Array()),
    ) as readonly CpuModel[];
  const whole = cpus(await modules.whole());
  expect(whole.every(({ provenance }) => provenance.length > 0)).toBe(true);
  const short = whole.map((cpu) => ({
    ...cpu,
    aliases: undefined,
    provenance: [],
    variants: cpu.variants.map((variant) => ({
      ...variant,
      provenance: variant.provenance.map(({ path, confidence }) => ({
        path,
        confidence,
        source: "",
      })),
    })),
  }));
  expect(cpus(modules.small)).toEqual(short);
});

test("the_modules_know_every_call", async () => {
  const modules = await loadModules();
  const own = {
    small: modules.small.newSession(),
    whole: (await modules.whole()).newSession(),
  };
  /** The arguments are not valid for any call, because only the name matters. */
  const isKnown = (session: WasmSession, name: Name) => {
    try {
      if (isTask(name)) session.start(name, "[]").free();
      else session.call(name, "[]", new Uint8Array());
    } catch (thrown) {
      return !JSON.stringify(thrown).includes("no call named");
    }
    return true;
  };
  const names = [...Object.keys(CALLS), ...Object.keys(TASKS)] as Name[];
  // The worker answers `prefetch` itself, and `crash` traps.
  const asked = names.filter((name) => !/prefetch|crash/.test(name));
  expect(asked.filter((name) => !isKnown(own.whole, name))).toEqual([]);
  expect(asked.filter((name) => isKnown(own.small, name))).toEqual(
    asked.filter((name) => ruleOf(name).isSmall),
  );
});

/** Parts of machines that only the whole module simulates. */
const WHOLE_ONLY: readonly [string, object][] = [
  ["virt.nested_tlb.in", { virt: { nested_tlb: { in: "STLB" } } }],
  ["tlb_prefetch", { tlb_prefetch: { method: "next-page" } }],
  ["pom_tlb", { pom_tlb: { size: "128" } }],
  ["victima", { victima: {} }],
  ["ecpt", { ecpt: {} }],
  ["event_costs", { event_costs: { fault: 1 } }],
];

test.each(WHOLE_ONLY)("the_small_module_refuses_%s", async (field, part) => {
  const { small } = await loadModules();
  const session = small.newSession();
  const call = (name: Name, args: object) =>
    session.call(name, JSON.stringify(args), new Uint8Array());
  const [cpu] = decode(call("cpus", {})) as readonly CpuModel[];
  const machine = { ...cpu?.machine, ...part };
  const refused = () => {
    try {
      call("configure", { machine, os: {} });
    } catch (thrown) {
      return thrown;
    }
    return undefined;
  };
  expect(refused()).toMatchObject({ code: "bad-config", at: { field } });
});
