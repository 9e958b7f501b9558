/** Keeps the parts of a file that a run makes, and hands them to an import while the program runs. */
import { PartWriter } from "../../engine/parts";
import type { Part } from "../../engine/parts";
import type { Packing } from "../../state/code/programService";

export interface FileParts {
  /** Adds a part, unless the file has ended. An import takes its buffer. */
  readonly take: (part: Part) => void;
  /**
   * Ends the file, and resolves with the parts after its head. Rejects if the import that has some of them has
   * failed.
   */
  readonly end: () => Promise<readonly Part[]>;
  /** Imports nothing. */
  readonly cancel: () => void;
}

export function filePartsOf(
  head: () => Part,
  packing: Packing | undefined,
): FileParts {
  let ended: Promise<readonly Part[]> | undefined;
  if (!packing) {
    const parts: Part[] = [];
    return {
      take: (part) => {
        if (!ended) parts.push(part);
      },
      end: () => (ended ??= Promise.resolve(parts)),
      cancel: () => {},
    };
  }
  const writer = new PartWriter();
  // The import may fail before `end` waits for it.
  const failed = new Promise<never>((_, reject) => {
    packing.begin(writer.file).catch(reject);
  });
  failed.catch(() => undefined);
  const end = async () => {
    packing.onEnd();
    const [, ...parts] = await Promise.race([writer.end(), failed]);
    return parts;
  };
  writer.write(head());
  return {
    take: (part) => {
      if (!ended) writer.write(part);
    },
    end: () => (ended ??= end()),
    cancel: () => writer.cancel(),
  };
}
