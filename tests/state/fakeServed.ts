/** `pagewalk open` without a server: the test says what it answers. */
import { fakeKept } from "./fakeKept";
import type { ServedService } from "../../src/state/import/servedService";

export interface FakeServed extends ServedService {
  secret: string | undefined;
  name: string;
  /** The trace, or why it cannot be read. */
  answer: Blob | Error;
}

export function fakeServed(): FakeServed {
  const fake: FakeServed = {
    secret: "secret",
    name: "mine.lackey",
    answer: new Blob(["x".repeat(40)]),
    kept: fakeKept(),
    token: () => fake.secret,
    fetch: async (_token, { onProgress }) => {
      await Promise.resolve();
      const { name, answer: file } = fake;
      if (file instanceof Error) throw file;
      onProgress(name, file.size, file.size);
      return { name, file };
    },
  };
  return fake;
}
