/** What the user picked in the TLB panel: a set of an array, or one way of it. */
export interface Place {
  readonly structure: number;
  readonly set: number;
  /** `null` means the whole set. */
  readonly way: number | null;
}
