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
  ["64 bytes of Ed25519", COINBASE_KEY.secret, edPublic, "EdDSA"],
  ["a PEM of P-256 as the provider hands it out", sec1, ecPair.publicKey, "ES256"],
  ["the newer form of that PEM", pkcs8, ecPair.publicKey, "ES256"],
  ["a PEM whose line breaks are written out", sec1.replaceAll("\n", "\\n"), ecPair.publicKey, "ES256"],
])(
  "with %s every request has a token of its own, for itself and two minutes",
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
      ...{ sub: "key-1", iss: "cdp", uris: ["POST business.coinbase.com/api/v1/checkouts"] },
      ...{ iat: NOON / 1_000, nbf: NOON / 1_000, exp: NOON / 1_000 + 120 },
    })
  },
)

const otherCurve = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey
test.each([
  ["too short a text", "aGVsbG8="],
  ["nothing", ""],
  ["two halves that do not belong together", Buffer.alloc(64, 7).toString("base64")],
  ["a PEM that is none", "-----BEGIN NONSENSE-----"],
  ["a key of another curve", otherCurve.export({ type: "sec1", format: "pem" }).toString()],
])("%s is refused as a key at once, and not repeated", (_, secret) => {
  const message = "COINBASE_KEY_SECRET is neither the PEM of a P-256 key nor the base64 of 64 bytes"
  expect(() => tokensWith({ id: "key-1", secret })).toThrow(new Error(message))
})
