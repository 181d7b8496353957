/** Environment variables of shops that several test files share. */

/** `X-Forwarded-For` sets the client address. */
export const trusted = { TRUSTED_PROXIES: "loopback" }

/** The velocity check is off: it comes before the rate limits, stops most attacks, and has its own tests. */
export const underAttack = { TRUSTED_PROXIES: "loopback", FRAUD_CHECK: "off" }
