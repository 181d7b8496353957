import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from "node:crypto"

/** What a shop that only this machine can reach has at the sandbox's Coinbase. */
export type LocalAccount = { readonly keyId: string; readonly keySecret: string; readonly hookSecret: string }

/** A fresh API key (Ed25519, as the provider hands it out: base64 of seed and public half) and webhook secret. */
export function newLocalAccount(): LocalAccount {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
  const halves = [d, x].map((half) => Buffer.from(half, "base64url"))
  return {
    keyId: `sandbox-${randomBytes(8).toString("hex")}`,
    keySecret: Buffer.concat(halves).toString("base64"),
    hookSecret: randomBytes(24).toString("base64url"),
  }
}

/** What such a shop has at the sandbox's BTCPay: its store, an API key and the secret of the store's webhook. */
export type LocalStore = { readonly store: string; readonly key: string; readonly webhookSecret: string }

export function newLocalStore(): LocalStore {
  const [store = "", key = "", webhookSecret = ""] = [24, 20, 20].map((size) =>
    randomBytes(size).toString("hex"),
  )
  return { store, key, webhookSecret }
}

/** What such a shop has at the sandbox's Cryptomus: a merchant's name, and the key for payments. */
export type LocalMerchant = { readonly merchant: string; readonly paymentKey: string }

export function newLocalMerchant(): LocalMerchant {
  return { merchant: randomUUID(), paymentKey: randomBytes(48).toString("base64url") }
}

/** The half of a key by which the sandbox knows the shop. */
export function publicHalf({ keySecret }: LocalAccount): KeyObject {
  const bytes = Buffer.from(keySecret, "base64")
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((half) => half.toString("base64url"))
  return createPublicKey(createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" }))
}
