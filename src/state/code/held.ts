/** What the engine of a program has simulated. */
import type { ProgramSetup } from "../../model/code/code";

export interface Held {
  readonly file: Blob;
  readonly setup: ProgramSetup;
}
