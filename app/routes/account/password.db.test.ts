import { beforeEach, describe, expect, test } from "vitest"
import { RECENT_PROOF_PERIOD } from "~/domain/customers/customer"
import type { Order } from "~/domain/orders/order"
import { pathOf } from "~/domain/orders/screen-paths"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { customerSession, sessionLeft } from "../../../tests/fixtures/session-harness"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

const PASSWORD = "correct horse battery staple"
const SIGN_IN_AGAIN = "Sign in again first"
const path = pathOf.viewer.success

type Session = NonNullable<Visit["session"]>

let shop: TestShop
let bought: Order
beforeEach(async () => {
  shop = await openTestShop()
  bought = await buyPlan(shop)
  return () => shop.billing.close()
})

/** A session of the customer, signed in by mail so many milliseconds ago. */
function signedInAgo(milliseconds: number): Session {
  const at = shop.services.now() - milliseconds
  return customerSession(shop, bought, { proof: { how: "link", at }, sealedAt: at })
}

const look = async (session: Session, at = path) =>
  (await respond(shop.services, { path: `${at}.data`, session })).text()
const send = (session: Session, form: Record<string, string>) =>
  respond(shop.services, { path, session, form: { serviceid: bought.serviceId ?? "", ...form } })
const isValid = async () =>
  (await shop.services.billing.signIn({ email: bought.email, password: PASSWORD })) !== null

describe("a password on the page of a service", () => {
  test("is chosen by who signed in a moment ago", async () => {
    const session = signedInAgo(RECENT_PROOF_PERIOD - 1)
    expect(await look(session)).not.toContain(SIGN_IN_AGAIN)
    const saved = await send(session, { intent: "password", password: PASSWORD })
    expect([saved.status, await isValid()]).toEqual([303, true])
  })

  test("is not chosen by who finds a browser that was signed in before: it would open the account's e-mail", async () => {
    const session = signedInAgo(RECENT_PROOF_PERIOD)
    expect(await look(session)).toContain(SIGN_IN_AGAIN)
    const refused = await send(session, { intent: "password", password: PASSWORD })
    expect([refused.status, await isValid()]).toEqual([401, false])
  })

  test("is chosen after another sign-in, which leads back to the service", async () => {
    const stale = { ...signedInAgo(RECENT_PROOF_PERIOD), serviceId: bought.serviceId }
    const again = await send(stale, { intent: "sign-in-again" })
    const page = `${path}?signin`
    expect([again.status, again.headers.get("location")]).toEqual([303, `/checkout${page}`])
    const left = sessionLeft(shop, again)
    expect(left).toMatchObject({ customer: null, choices: { email: bought.email } })
    const asked = await respond(shop.services, { path: page, session: left })
    expect(asked.status).toBe(200)
    await shop.services.billing.setPassword({ id: bought.customerId, reach: "account" }, PASSWORD, () => 0)
    const form = { intent: "sign-in", email: bought.email, password: PASSWORD }
    const back = await respond(shop.services, { path: page, session: left, form })
    expect([back.status, back.headers.get("location")]).toEqual([303, `/checkout${path}`])
    expect(sessionLeft(shop, back)).toMatchObject({
      customer: { id: bought.customerId },
      serviceId: bought.serviceId,
    })
  })
})
