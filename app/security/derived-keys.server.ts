import { hkdfSync } from "node:crypto"

/**
 * Keys of 32 bytes derived from the secrets by HKDF-SHA256, in their order: the first makes, all are accepted, so that secrets can be
 * rotated. Each `purpose` has keys of its own. Stored texts depend on them: the result must not change. Throws without a secret.
 */
export function derivedKeys(secrets: readonly string[], purpose: string): readonly [Buffer, ...Buffer[]] {
  const [first, ...others] = secrets.map((secret) =>
    Buffer.from(hkdfSync("sha256", secret, "boxoffice", purpose, 32)),
  )
  if (!first) throw new Error("No secret configured")
  return [first, ...others]
}
