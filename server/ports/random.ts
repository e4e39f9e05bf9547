/** A uniform number in [0, 1). A port, so that a seed can make waits repeatable. */
export type Random = () => number;
