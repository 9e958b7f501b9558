/** What the browser keeps of a student's exercises. */
export interface ExerciseService {
  /** The text under a key of `progressKey`. */
  readonly kept: (key: string) => string | undefined;
  readonly keep: (key: string, text: string) => void;
  /** The name that was used last. */
  readonly lastName: () => string;
  readonly keepName: (name: string) => void;
}
