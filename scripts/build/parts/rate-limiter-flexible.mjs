// @ts-nocheck: the files have no types of their own.
import memory from "../../../node_modules/rate-limiter-flexible/lib/RateLimiterMemory.js"
import postgres from "../../../node_modules/rate-limiter-flexible/lib/RateLimiterPostgres.js"
import result from "../../../node_modules/rate-limiter-flexible/lib/RateLimiterRes.js"

export const RateLimiterMemory = memory
export const RateLimiterPostgres = postgres
export const RateLimiterRes = result
