/**
 * A file that is imported while it is being made. Its parts are moved to the import and back, so no byte is copied, and
 * the whole file can still be kept.
 */
import { cancelled } from "./errors";
import type { Reading } from "./reading";

export type Part = Uint8Array<ArrayBuffer>;

/** What follows the parts: the end of the file, or the wish to import nothing. */
type Message = Part | "end" | "cancel";

/** The side that makes the file. */
export class PartWriter {
  /** The file, for the import. */
  readonly file: MessagePort;
  readonly #port: MessagePort;
  readonly #back: Part[] = [];
  #nSent = 0;
  #onBack: (() => void) | undefined;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.file = port2;
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent<Part>) => {
      this.#back.push(data);
      if (this.#back.length === this.#nSent) this.#onBack?.();
    };
  }

  /** Moves a part to the import. */
  write(part: Part): void {
    this.#nSent += 1;
    this.#post(part, [part.buffer]);
  }

  /** Ends the file. Resolves with all parts when the import has read them; never, if the import is lost. */
  async end(): Promise<readonly Part[]> {
    this.#post("end");
    if (this.#back.length < this.#nSent)
      await new Promise<void>((resolve) => {
        this.#onBack = resolve;
      });
    this.#port.close();
    return this.#back;
  }

  /** Ends the import, which rejects as cancelled. */
  cancel(): void {
    this.#post("cancel");
  }

  #post(message: Message, transfer: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

/** The side of the import. */
export function readParts(file: MessagePort): Reading {
  const waiting: Message[] = [];
  let last: Message | undefined;
  let isStopped = false;
  let wake = () => {};
  const giveBack = (message: Message | undefined) => {
    if (message instanceof Uint8Array)
      file.postMessage(message, [message.buffer]);
    else if (message === "cancel") file.close();
  };
  file.onmessage = ({ data }: MessageEvent<Message>) => {
    if (isStopped) giveBack(data);
    else waiting.push(data);
    wake();
  };
  return {
    async next() {
      giveBack(last);
      last = undefined;
      while (waiting.length === 0 && !isStopped)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      last = waiting.shift();
      if (isStopped || last === "cancel") throw cancelled();
      return last instanceof Uint8Array ? last : undefined;
    },
    stop() {
      isStopped = true;
      for (const message of [last, ...waiting.splice(0)]) giveBack(message);
      last = undefined;
      wake();
    },
  };
}
