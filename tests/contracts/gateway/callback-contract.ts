import { describe, expect, test } from "vitest"
import { type Gateway, type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"

export type CallbackCase = {
  gateway: Gateway
  /** Body of a genuine callback about a payment, as the provider writes it before signing. */
  body: string
  /** Signs a body with the shop's secret, or another one. */
  signed(body: string, secret?: string): RawCallback
  /** The same callback with another signature in the place of its own. */
  withSignature(callback: RawCallback, change: (signature: string) => string): RawCallback
  /** Members of the body, each with another value: `[what, from, to]`. */
  altered: readonly (readonly [what: string, from: string, to: string])[]
  /** Signs with a timestamp. Null: the provider's signature has none. */
  signedAt: ((at: number) => RawCallback) | null
}

/** Tests that the callbacks of every gateway module pass: what the signature covers, and what is JSON. */
export function callbackContract(name: string, known: CallbackCase) {
  const { gateway, body, signed, withSignature, altered } = known
  const genuine = () => signed(body)
  const withBody = (change: (bytes: Buffer) => Buffer): RawCallback => ({
    ...genuine(),
    body: change(genuine().body),
  })
  const replaced = (from: string, to: string) =>
    withBody((bytes) => Buffer.from(bytes.toString().replaceAll(from, to)))
  const doubled = body.replace("{", '{"type":"payment","type":"wallet",')

  describe(`${name} callbacks fulfil the callback contract`, () => {
    test("a genuine callback is accepted, and again with the same meaning", () => {
      expect(gateway.parseCallback(genuine())).not.toBeNull()
      expect(gateway.parseCallback(genuine())).toEqual(gateway.parseCallback(genuine()))
    })

    const hostile: readonly (readonly [string, RawCallback])[] = [
      ["signed with another secret", signed(body, otherSecret(name))],
      ["with an empty signature", withSignature(genuine(), () => "")],
      ["with a truncated signature", withSignature(genuine(), (it) => it.slice(0, -2))],
      ["with a longer signature", withSignature(genuine(), (it) => `${it}00`)],
      ["with a signature of one other letter", withSignature(genuine(), otherLetter)],
      ...altered.map(([what, from, to]) => [`with a changed ${what}`, replaced(from, to)] as const),
      [
        "with a duplicate member",
        withBody((it) => Buffer.from(it.toString().replace("{", '{"id":"x","id":"y",'))),
      ],
      ["with a duplicate member and a valid signature", signed(doubled)],
      ["with a truncated body", withBody((it) => it.subarray(0, 40))],
      ["with a missing last byte", withBody((it) => it.subarray(0, -1))],
      ["with an appended byte", withBody((it) => Buffer.concat([it, Buffer.from("x")]))],
      ["with a byte order mark", withBody((it) => Buffer.concat([Buffer.from("\ufeff"), it]))],
      ["with a body that is not UTF-8", withBody((it) => Buffer.concat([Buffer.from([0xff]), it]))],
      ["with an empty body", withBody(() => Buffer.alloc(0))],
      ["of a megabyte", withBody(() => Buffer.alloc(1024 * 1024, " "))],
      [
        "of more than 64 kB with a valid signature",
        signed(body.replace("{", `{"x":"${"x".repeat(65_536)}",`)),
      ],
      ["that is not JSON, with a valid signature", signed("status=paid")],
    ]
    test.each(hostile)("rejects a callback %s", (_, callback) => {
      expect(() => gateway.parseCallback(callback)).toThrow(UntrustedCallbackError)
    })

    const { signedAt } = known
    if (!signedAt) return

    const { at } = genuine()
    test.each([-301_000, 301_000])("rejects a timestamp that is %i milliseconds off", (off) => {
      expect(() => gateway.parseCallback({ ...signedAt(at + off), at })).toThrow(UntrustedCallbackError)
    })

    test.each([-300_000, 300_000])("accepts a timestamp that is %i milliseconds off", (off) => {
      expect(gateway.parseCallback({ ...signedAt(at + off), at })).not.toBeNull()
    })
  })
}

/** A well-formed secret that is not the shop's. */
function otherSecret(name: string): string {
  return name.startsWith("offshore") ? "whsec_AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH" : "another-secret"
}

function otherLetter(signature: string): string {
  const at = signature.length - 6
  return `${signature.slice(0, at)}${signature[at] === "a" ? "b" : "a"}${signature.slice(at + 1)}`
}
