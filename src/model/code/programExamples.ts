import type { CodeExample, CodePair } from "./scriptExamples";
export const PROGRAM_EXAMPLES: readonly CodeExample[] = [];
export const PROGRAM_PAIRS: readonly CodePair[] = [];
