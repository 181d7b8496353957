/** Base path (spec, section 2), without a trailing slash. */
export const BASE = "/checkout"
