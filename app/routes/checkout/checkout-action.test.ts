import { RouterContextProvider } from "react-router"
import { expect, test } from "vitest"
import { emptySession, sessionContext } from "~/context/session.server"
import { type Choices, emptyChoices } from "~/domain/orders/choices"
import { resellerCheckout } from "../resellers/reseller-checkout.server"
import { handleCheckoutAction } from "./checkout-action.server"
import { choicesIn } from "./checkout-selection.server"
import { viewerCheckout } from "./viewer-checkout.server"

const before: Choices = {
  ...emptyChoices,
  kind: "reseller",
  plan: "resell-20",
  email: "ana@example.test",
  gateway: "btcpay",
  promoCode: "WELCOME10",
}

function contextWith(choices: Choices): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(sessionContext, { ...emptySession, choices })
  return context
}

function formWith(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

test("a viewer's form replaces the whole selection", () => {
  const chosen = choicesIn(viewerCheckout)(
    formWith({ plan: "monthly", email: "", extraConnection: "on" }),
    contextWith({ ...before, kind: "plan", proxyProtection: true }),
  )
  expect(chosen).toEqual({ ...emptyChoices, plan: "monthly", extraConnection: true })
})

test("a reseller's form keeps what it does not send, such as a signed-in customer's e-mail", () => {
  const chosen = choicesIn(resellerCheckout)(formWith({ plan: "resell-50" }), contextWith(before))
  expect(chosen).toEqual({ ...before, plan: "resell-50", promoCode: null })
})

test("a reseller's form drops what a viewer has chosen, and takes no extras", () => {
  const form = formWith({ extraConnection: "on", proxyProtection: "on", gateway: "unknown" })
  const chosen = choicesIn(resellerCheckout)(form, contextWith({ ...before, kind: "plan" }))
  expect(chosen).toEqual({
    ...emptyChoices,
    kind: "reseller",
    email: "ana@example.test",
    gateway: "btcpay",
  })
})

const url = new URL("https://shop.test/checkout/")

type Submit = (body: FormData, context: RouterContextProvider) => Promise<unknown>
const submitted: [string, Submit][] = [
  ["a viewer's", (body, context) => handleCheckoutAction(viewerCheckout, sent(body, context))],
  ["a reseller's", (body, context) => handleCheckoutAction(resellerCheckout, sent(body, context))],
]

function sent(body: FormData, context: RouterContextProvider) {
  return { request: new Request(url, { method: "POST", body }), url, context }
}

test.each(submitted)(
  "%s form with the field for robots filled in is refused, and keeps the rest",
  async (_, submit) => {
    const context = contextWith(emptyChoices)
    const form = formWith({
      plan: "3",
      email: "ana@example.test",
      website: "https://spam.test",
      intent: "pay",
    })
    expect(await submit(form, context)).toMatchObject({
      data: {
        lastResult: { initialValue: { email: "ana@example.test" }, error: { "": ["signIn.mail.again"] } },
      },
      init: { status: 400 },
    })
    expect(context.get(sessionContext)).toMatchObject({ choices: emptyChoices, draft: null })
  },
)
