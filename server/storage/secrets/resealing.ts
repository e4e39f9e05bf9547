/** Brings what is stored to the newest key, or back to clear, in steps that may be repeated. */
export interface Resealing {
  /** How many stored rows hold secrets that are not encrypted as they would be written now. */
  left(): Promise<number>;
  /** Writes some of them anew; answers how many, and 0 once it has been through all. */
  step(): Promise<number>;
}
