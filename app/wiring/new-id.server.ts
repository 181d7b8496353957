import { randomBytes } from "node:crypto"

/**
 * 128 random bits as base64url, which every gateway accepts as a reference. Never with "-" in front, which would be an option
 * where an operator types the id into a command.
 */
export function newId(): string {
  const id = randomBytes(16).toString("base64url")
  return id.startsWith("-") ? newId() : id
}
