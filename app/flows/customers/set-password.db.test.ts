import { expect, test } from "vitest"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import { choice, openTestShop } from "../../../tests/fixtures/test-shop"
import { setPassword } from "./set-password.server"

const EMAIL = choice.email
const PASSWORD = "correct horse battery staple"
const GOOD = "four words nobody joins"

type SessionKind =
  | "the account"
  | "the sign-up password"
  | "another sign-up password"
  | "a sign-up password without an id"
  | "nothing"

test.each<[SessionKind, string, string]>([
  ["the account", "password12", "guessable"],
  ["the account", EMAIL, "guessable"],
  ["the account", GOOD, "done"],
  ["the sign-up password", "password12", "guessable"],
  ["the sign-up password", GOOD, "done"],
  ["another sign-up password", GOOD, "not-permitted"],
  ["a sign-up password without an id", GOOD, "not-permitted"],
  ["nothing", GOOD, "not-permitted"],
])("authenticated by %s, setting the password %j returns %s", async (who, password, outcome) => {
  const { services } = await openTestShop()
  const account = {
    email: EMAIL,
    password: PASSWORD,
    existing: false,
    locale: "en-en",
    currency: "EUR",
  } as const
  const visitor = { country: "ES", address: null, at: services.now() } as const
  const newCustomer = await services.billing.resellerAuth({ ...account, ...visitor })
  if (!newCustomer) throw new Error("Account not created")
  const { id, email } = newCustomer
  const sessions: Record<SessionKind, (AuthenticatedCustomer & { email: string }) | null> = {
    "the account": { id, email, reach: "account" },
    "the sign-up password": newCustomer,
    "another sign-up password": { id, email, reach: "sign-up", passwordId: "another" },
    "a sign-up password without an id": { id, email, reach: "sign-up" },
    nothing: null,
  }
  const client = { address: null, visitor: null, authenticated: true }
  const proof = { how: "password", at: services.now() } as const
  const change = await setPassword(services, { customer: sessions[who], proof }, { password, who: client })
  expect(change.kind).toBe(outcome)
  const isFormerValid = (await services.billing.signIn({ email, password: PASSWORD })) !== null
  expect(isFormerValid).toBe(outcome !== "done")
})
