import { expect, test } from "vitest"
import { DAY, SECOND } from "~/domain/calendar"
import { signWith } from "./hmac.server"
import { signedLink, verifyLink } from "./signed-link.server"

const NOON = Date.UTC(2026, 5, 15, 12)
const secret = "a secret of at least thirty-two characters"
const signer = signWith([secret], "links")
const linked = {
  publicUrl: "https://shop.example.test",
  email: "Ana@example.test",
  expiresAt: NOON + DAY,
  serviceId: "s-1" as string | null,
}

/** What a link says in its query. */
function paramsOf(link: string) {
  const { searchParams } = new URL(link)
  const { email = "", expires = "", signature = "", serviceid } = Object.fromEntries(searchParams)
  return { email, expires, signature, serviceId: serviceid ?? null }
}

const body = paramsOf(signedLink(signer, linked))
const account = paramsOf(signedLink(signer, { ...linked, serviceId: null }))

test("a sign-in link contains the shop's URL, e-mail, expiry and service", () => {
  const link = new URL(signedLink(signer, linked))
  expect(`${link.origin}${link.pathname}`).toBe("https://shop.example.test/checkout/")
  expect(body).toEqual({
    email: "Ana@example.test",
    serviceId: "s-1",
    signature: expect.any(String),
    expires: String((NOON + DAY) / SECOND),
  })
})

test("a link for the whole account contains no service", () => {
  expect(signedLink(signer, { ...linked, serviceId: null })).not.toContain("serviceid")
  expect(verifyLink(signer, account, NOON)).toBe("valid")
})

test("the operator's link is valid until it expires", () => {
  expect(verifyLink(signer, body, NOON)).toBe("valid")
  expect(verifyLink(signer, body, NOON + DAY - 1)).toBe("valid")
  expect(verifyLink(signer, body, NOON + DAY)).toBe("expired")
})

test("the e-mail of a link is compared in its normalized form", () => {
  expect(verifyLink(signer, { ...body, email: " ana@EXAMPLE.test " }, NOON)).toBe("valid")
})

test.each([
  ["another e-mail", { ...body, email: "bob@example.test" }],
  ["another service", { ...body, serviceId: "s-2" }],
  ["its service left out", { ...body, serviceId: null }],
  ["a service added", { ...account, serviceId: "s-1" }],
  ["a later end", { ...body, expires: String(Number(body.expires) + 1) }],
  ["an end that is no number", { ...body, expires: "never" }],
  ["no end", { ...body, expires: "" }],
  ["no signature", { ...body, signature: "" }],
  ["half a signature", { ...body, signature: body.signature.slice(0, 20) }],
  ["parts that run into each other", { ...body, email: `${body.email}","${body.expires}`, expires: "" }],
  ["the signature of somebody else", paramsOf(signedLink(signWith(["b".repeat(40)], "links"), linked))],
])("a link with %s is invalid", (_, forged) => {
  expect(verifyLink(signer, forged, NOON)).toBe("invalid")
})

test("an expired forged link is invalid, not expired", () => {
  expect(verifyLink(signer, { ...body, email: "bob@example.test" }, NOON + 2 * DAY)).toBe("invalid")
})

test("links signed with the old secret are valid while it is listed after the new one", () => {
  const renewed = "a new secret of at least thirty-two"
  expect(verifyLink(signWith([renewed, secret], "links"), body, NOON)).toBe("valid")
  expect(verifyLink(signWith([renewed], "links"), body, NOON)).toBe("invalid")
})
