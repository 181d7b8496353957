import { createHash, randomBytes } from "node:crypto"
import { RECOVERY_CODES } from "~/domain/operators/operator"

const TOKEN_BYTES = 32
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
const CODE_LENGTH = 16
const GROUP = /.{4}(?=.)/g

/** A new unguessable token of a session or of a one-time link. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url")
}

/** SHA-256: enough for random tokens, which cannot be guessed from their hash. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("base64url")
}

/** New recovery codes, such as ABCD-EFGH-JKLM-NPQR, of 80 random bits each. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    // 32 characters: five bits of each byte, without a bias.
    const code = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("")
    return code.replace(GROUP, "$&-")
  })
}

/** The hash of a recovery code as typed: in any case, with or without hyphens and spaces. */
export function recoveryCodeHash(typed: string): string {
  return tokenHash(typed.toUpperCase().replace(/[^A-Z0-9]/g, ""))
}
