import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from "node:crypto"

/** Credentials of a local shop for the sandbox's Coinbase API. */
export type SandboxApiKey = {
  readonly keyId: string
  readonly keySecret: string
  readonly hookSecret: string
}

/** Generates a webhook secret and an Ed25519 API key in Coinbase's format: base64 of seed and public key. */
export function createSandboxApiKey(): SandboxApiKey {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
  const halves = [d, x].map((half) => Buffer.from(half, "base64url"))
  return {
    keyId: `sandbox-${randomBytes(8).toString("hex")}`,
    keySecret: Buffer.concat(halves).toString("base64"),
    hookSecret: randomBytes(24).toString("base64url"),
  }
}

/** Credentials of a local shop for the sandbox's BTCPay API: store id, API key and webhook secret. */
export type LocalStore = { readonly store: string; readonly key: string; readonly webhookSecret: string }

export function newLocalStore(): LocalStore {
  const [store = "", key = "", webhookSecret = ""] = [24, 20, 20].map((size) =>
    randomBytes(size).toString("hex"),
  )
  return { store, key, webhookSecret }
}

/** Credentials of a local shop for the sandbox's Cryptomus API: merchant id and payment key. */
export type LocalMerchant = { readonly merchant: string; readonly paymentKey: string }

export function newLocalMerchant(): LocalMerchant {
  return { merchant: randomUUID(), paymentKey: randomBytes(48).toString("base64url") }
}

/** Derives the public key with which the sandbox verifies the shop's JWTs. */
export function publicHalf({ keySecret }: SandboxApiKey): KeyObject {
  const bytes = Buffer.from(keySecret, "base64")
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((half) => half.toString("base64url"))
  return createPublicKey(createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" }))
}
