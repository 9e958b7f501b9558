/** Addresses without a network: the test says what each answers. */
import type { RemoteService } from "../../src/state/import/remoteService";

import { fakeServed } from "./fakeServed";
import type { FakeServed } from "./fakeServed";

export interface FakeRemote extends RemoteService {
  readonly served: FakeServed;
  readonly log: string[];
  size: number | undefined;
  /** Where the address leads, if elsewhere. */
  leads: string | undefined;
  /** What is fetched, or why that fails. */
  answer: Blob | Error;
}

export function fakeRemote(): FakeRemote {
  const fake: FakeRemote = {
    served: fakeServed(),
    log: [],
    size: undefined,
    leads: undefined,
    answer: new Blob(["x".repeat(40)]),
    resolve: (wanted) => {
      const { href, host, protocol } = new URL(wanted, "http://own/");
      if (protocol === "ftp:") throw new Error("ftp is not fetched");
      return { address: href, host, isOwn: host === "own" };
    },
    look: (address) => {
      fake.log.push(`look ${address}`);
      return Promise.resolve({
        address: fake.leads ?? address,
        size: fake.size,
      });
    },
    fetch: async (address, { onProgress }) => {
      fake.log.push(`fetch ${address}`);
      await Promise.resolve();
      if (fake.answer instanceof Error) throw fake.answer;
      onProgress(fake.answer.size, fake.size);
      return fake.answer;
    },
  };
  return fake;
}
