/** What the engine of a program has simulated. */
import type { ProgramSetup, ProgramShown } from "../../model/code/code";

export interface Held {
  readonly file: () => Blob;
  readonly setup: ProgramSetup;
}

/** A simulation of the accesses of the pictures, after which the engine holds them. */
export interface Holding extends Pick<ProgramShown, "report"> {
  readonly done: Promise<void>;
}
