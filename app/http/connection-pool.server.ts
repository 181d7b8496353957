import { Agent } from "undici"

/** Connection pool for all upstreams. The connect timeout is shorter than the call timeout. */
export const pool = new Agent({ connect: { timeout: 5_000 }, keepAliveTimeout: 10_000 })

/** Maximum duration of an upstream call in milliseconds, retries included (spec, section 9). */
export const MAX_CALL_MS = 30_000
