/** Settings of the shops that several files share. */

/** The client's address is what `x-forwarded-for` says. */
export const trusted = { TRUSTED_PROXIES: "loopback" }

/** The velocity check, which comes before the rate limits and stops most attacks, is off: it has tests of its own. */
export const underAttack = { TRUSTED_PROXIES: "loopback", FRAUD_CHECK: "off" }
