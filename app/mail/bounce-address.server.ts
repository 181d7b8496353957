import { timingSafeEqual } from "node:crypto"
import type { Signer } from "~/security/hmac.server"

/** Longest local part of an address (RFC 5321). */
const MAX_LOCAL_PART = 64
/** Of the signature: enough that nobody guesses one, and short enough for the local part. */
const SIGNATURE_BYTES = 5
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"

/**
 * Envelope sender of a message: `address` with the message's id and our signature after a plus sign, so that a bounce
 * names its message, and nobody else's bounce suppresses an address. Lower case, because mail servers may change the case.
 * An address whose local part leaves no room for it is returned unchanged.
 */
export function bounceAddress(signer: Signer, address: string, mailId: string): string {
  const at = address.lastIndexOf("@")
  const local = `${address.slice(0, at)}+${encode(Buffer.from(mailId, "base64url"))}${signature(signer, mailId)}`
  return local.length > MAX_LOCAL_PART ? address : `${local}${address.slice(at)}`
}

/** Id of the message that a bounce to `address` is about; null if the address is not one of ours. */
export function mailIdOfBounce(signer: Signer, address: string): string | null {
  const local = address.slice(0, address.lastIndexOf("@")).toLowerCase()
  const token = local.slice(local.lastIndexOf("+") + 1)
  const signed = (SIGNATURE_BYTES * 8) / 5
  const id = decode(token.slice(0, -signed))?.toString("base64url")
  if (!id) return null
  const given = Buffer.from(token.slice(-signed))
  const expected = Buffer.from(signature(signer, id))
  return given.length === expected.length && timingSafeEqual(given, expected) ? id : null
}

function signature(signer: Signer, mailId: string): string {
  return encode(Buffer.from(signer.sign(`bounce ${mailId}`), "base64url").subarray(0, SIGNATURE_BYTES))
}

/** Base 32 of RFC 4648 in lower case, without padding. */
function encode(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, "0"), 2)]).join("")
}

function decode(text: string): Buffer | null {
  if (!/^[a-z2-7]+$/.test(text)) return null
  const bits = [...text].map((char) => ALPHABET.indexOf(char).toString(2).padStart(5, "0")).join("")
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
