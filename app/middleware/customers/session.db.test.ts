import type { MiddlewareFunction } from "react-router"
import { expect, test } from "vitest"
import { updateSession } from "~/context/session.server"
import { meet } from "../../../tests/fixtures/middleware-harness"
import { openTestShop } from "../../../tests/fixtures/test-shop"
import { session } from "./session.server"

/** A page on which the visitor chooses something. */
const choosing: MiddlewareFunction<Response> = (visit) =>
  session(visit, async () => {
    updateSession(visit.context, { currency: "GBP" })
    return new Response()
  })

async function cookiesOf(publicUrl: string, page: MiddlewareFunction<Response>) {
  const { services } = await openTestShop()
  const ofShop = { ...services, shop: { ...services.shop, publicUrl } }
  return (await meet(page, { services: ofShop, path: "/checkout/de-de" })).cookies
}

test("the session is kept for 30 days, for the checkout alone, out of reach of scripts and of forms of other sites", async () => {
  const [cookie, ...others] = await cookiesOf("http://127.0.0.1:3000", choosing)
  expect(cookie).toMatch(/^checkout=[\w-]+; Max-Age=2592000; Path=\/checkout; HttpOnly; SameSite=Lax$/)
  expect(others).toEqual([])
})

test("a browser sends the session of a shop with TLS over TLS alone", async () => {
  const [cookie] = await cookiesOf("https://shop.test", choosing)
  expect(cookie?.split("; ").slice(1)).toContain("Secure")
})

test("a page on which nothing changes writes no session", async () => {
  expect(await cookiesOf("https://shop.test", session)).toEqual([])
})
