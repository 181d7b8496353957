/** Base path (specification, Screens), without a trailing slash. */
export const BASE = "/checkout"
