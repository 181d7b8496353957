import { Secret, TOTP } from "otpauth"
import { type Instant, SECOND } from "~/domain/calendar"

/** The defaults of authenticator apps (RFC 6238): 6 digits, 30 seconds, SHA-1. */
const PERIOD_SECONDS = 30
const DIGITS = 6
const SECRET_BYTES = 20

/** A code of the time step before and after is accepted too, since clocks of phones differ. */
const WINDOW = 1

/** A new secret in Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** `otpauth://` URI that authenticator apps read from a QR code. */
export function totpUri({
  secret,
  email,
  issuer,
}: {
  secret: string
  email: string
  issuer: string
}): string {
  return totp(secret, { label: email, issuer }).toString()
}

/** Time step of a code; null if it is wrong. The caller must accept each time step once. */
export function totpCounter(secret: string, code: string, now: Instant): number | null {
  const delta = totp(secret).validate({ token: code, timestamp: now, window: WINDOW })
  return delta === null ? null : Math.floor(now / SECOND / PERIOD_SECONDS) + delta
}

function totp(secret: string, names: { label?: string; issuer?: string } = {}): TOTP {
  const settings = { secret: Secret.fromBase32(secret), digits: DIGITS, period: PERIOD_SECONDS }
  return new TOTP({ ...names, ...settings })
}
