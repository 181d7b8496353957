// @ts-nocheck: the files have no types of their own.
import compatible from "../../../node_modules/rate-limiter-flexible/lib/RateLimiterCompatibleAbstract.js"
import postgres from "../../../node_modules/rate-limiter-flexible/lib/RateLimiterPostgres.js"
import result from "../../../node_modules/rate-limiter-flexible/lib/RateLimiterRes.js"

export const RateLimiterCompatibleAbstract = compatible
export const RateLimiterPostgres = postgres
export const RateLimiterRes = result
