import { createPublicKey, generateKeyPairSync } from "node:crypto"
import { decodeProtectedHeader, jwtVerify } from "jose"
import { expect, test } from "vitest"
import { COINBASE_KEY } from "../../../tests/fakes/coinbase"
import { tokensWith } from "./jwt.server"

const NOON = Date.UTC(2026, 10, 20, 12)
const address = new URL("https://business.coinbase.com/api/v1/checkouts?query=1")

const ecPair = generateKeyPairSync("ec", { namedCurve: "P-256" })
const sec1 = ecPair.privateKey.export({ type: "sec1", format: "pem" }).toString()
const pkcs8 = ecPair.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
const x = Buffer.from(COINBASE_KEY.secret, "base64").subarray(32).toString("base64url")
const edPublic = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })

test.each([
  ["a 64-byte Ed25519 key", COINBASE_KEY.secret, edPublic, "EdDSA"],
  ["a SEC 1 PEM of a P-256 key", sec1, ecPair.publicKey, "ES256"],
  ["a PKCS #8 PEM of a P-256 key", pkcs8, ecPair.publicKey, "ES256"],
  ["a PEM with escaped line breaks", sec1.replaceAll("\n", "\\n"), ecPair.publicKey, "ES256"],
])(
  "tokensWith(%s) creates a JWT per request, bound to method and path, valid for two minutes",
  async (_, secret, known, alg) => {
    const make = tokensWith({ id: "key-1", secret })
    const [first, second] = [await make("POST", address, NOON), await make("POST", address, NOON)]
    const headers = [first, second].map((token) => decodeProtectedHeader(token))
    expect(headers[0]).toEqual({
      alg,
      kid: "key-1",
      typ: "JWT",
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(headers[1]?.nonce).not.toBe(headers[0]?.nonce)
    const { payload } = await jwtVerify(first, known, { currentDate: new Date(NOON) })
    expect(payload).toEqual({
      sub: "key-1",
      iss: "cdp",
      uris: ["POST business.coinbase.com/api/v1/checkouts"],
      iat: NOON / 1_000,
      nbf: NOON / 1_000,
      exp: NOON / 1_000 + 120,
    })
  },
)

const otherCurve = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey
test.each([
  ["a secret that is too short", "aGVsbG8="],
  ["nothing", ""],
  ["64 bytes whose public key does not match", Buffer.alloc(64, 7).toString("base64")],
  ["a malformed PEM", "-----BEGIN NONSENSE-----"],
  ["a key on another curve", otherCurve.export({ type: "sec1", format: "pem" }).toString()],
])("tokensWith throws for %s without quoting the secret", (_, secret) => {
  const message = "Invalid COINBASE_KEY_SECRET: must be the PEM of a P-256 key, or 64 bytes in base64"
  expect(() => tokensWith({ id: "key-1", secret })).toThrow(new Error(message))
})
