/** Remembers settings of the reader between visits. */
export interface Settings {
  /** The first screen was left, so the next visit begins without it. */
  readonly keepWelcome: () => void;
  readonly keepPlain: (plain: boolean) => void;
}
