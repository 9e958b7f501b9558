/** Says what is being done until a program has its accesses. */
import { counted } from "../shared/format";
import type { ProgramStep } from "./program";

export function stepText(step: ProgramStep): string {
  switch (step.what) {
    case "loading":
      return "Loading the compiler";
    case "compiling":
      return "Compiling";
    case "instrumenting":
      return "Preparing the program";
    case "running":
      return `Running: ${counted(step.accesses, "access", "accesses")}`;
  }
}
