import { Agent } from "undici"

/** The connections to all neighbours. A neighbour that cannot be reached is given up sooner than a slow one. */
export const pool = new Agent({ connect: { timeout: 5_000 }, keepAliveTimeout: 10_000 })

/** No call to a neighbour lasts longer than this, repeats included (spec, section 9), in milliseconds. */
export const MAX_CALL_MS = 30_000
