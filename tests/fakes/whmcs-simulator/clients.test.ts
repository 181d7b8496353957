import { afterEach, beforeEach, expect, test } from "vitest"
import { startWhmcs, type Whmcs } from "./start"
import { callsTo, client } from "./test-client"

let whmcs: Whmcs
let call: ReturnType<typeof callsTo>["call"]
beforeEach(async () => {
  const clientFields = [{ id: "1", name: "IsReseller", required: true }]
  whmcs = await startWhmcs({ clientFields })
  call = callsTo(whmcs).call
})
afterEach(() => whmcs.close())

test("a client is found by email address in any case, with currency and owner user", async () => {
  await client(call, { currency: 2, language: "german" })
  expect((await call("GetClientsDetails", { email: "ANA@example.test" })).client).toMatchObject({
    id: 1,
    client_id: 1,
    currency: 2,
    currency_code: "GBP",
    status: "Active",
    credit: "0.00",
    language: "german",
    owner_user_id: 501,
    users: { user: [{ id: 501, is_owner: true }] },
  })
  expect(await call("GetClientsDetails", { email: "bob@example.test" })).toMatchObject({
    message: "Client Not Found",
  })
  expect(await call("GetClientsDetails")).toMatchObject({ message: "Either clientid Or email Is Required" })
})

test("older versions repeat a client's details in the response", async () => {
  await client(call)
  whmcs.quirks.repeatsClient = true
  expect(await call("GetClientsDetails", { clientid: 1 })).toMatchObject({ id: 1, client: { id: 1 } })
})

test.each([
  [{ email: "" }, "You did not enter your email address"],
  [{ email: "ana" }, "The email address you entered was not valid"],
  [{ password2: "" }, "You did not enter a password"],
  [{ skipvalidation: false }, "You did not enter your first name"],
])("AddClient rejects a client with %j", async (changes, message) => {
  const fields = { email: "ana@example.test", password2: "tango", skipvalidation: true, ...changes }
  expect(await call("AddClient", fields)).toEqual({ result: "error", message })
})

test("a complete form needs a two-letter country code and the required fields", async () => {
  const form = {
    email: "ana@example.test",
    password2: "tango",
    firstname: "Ana",
    lastname: "Ruiz",
    address1: "Main Street 1",
    city: "Town",
    state: "State",
    postcode: "12345",
    phonenumber: "5551234",
  }
  expect(await call("AddClient", { ...form, country: "Spain" })).toMatchObject({
    message: "Valid country required",
  })
  expect(await call("AddClient", { ...form, country: "ES" })).toMatchObject({
    message: "You did not provide required custom field value for IsReseller",
  })
})

test("ValidateLogin returns a user id, and the same error for a wrong email address and a wrong password", async () => {
  await client(call)
  const login = { email: "ana@example.test", password2: "tango" }
  expect(await call("ValidateLogin", login)).toMatchObject({ userid: 501, twoFactorEnabled: false })
  whmcs.quirks.twoFactor = true
  expect(await call("ValidateLogin", login)).not.toHaveProperty("passwordhash")
  const refused = { message: "Email or Password Invalid" }
  expect(await call("ValidateLogin", { ...login, password2: "x" })).toMatchObject(refused)
  expect(await call("ValidateLogin", { ...login, email: "x@example.test" })).toMatchObject(refused)
})

test("a search matches prefixes, and users are a plain list", async () => {
  await client(call)
  await client(call, { email: "ana.b@example.test" })
  expect((await call("GetClients", { search: "ana" })).clients.client).toHaveLength(2)
  expect((await call("GetClients", { search: "example" })).totalresults).toBe(0)
  expect((await call("GetUsers", { search: "ana@" })).users).toMatchObject([
    { id: 501, clients: [{ id: 1 }] },
  ])
})

test("the affiliate page counts a click and redirects the visitor", async () => {
  await client(call)
  expect(await call("AffiliateActivate", { userid: 9 })).toMatchObject({ message: "Client ID not found" })
  await call("AffiliateActivate", { userid: 1 })
  const followed = await fetch(`${whmcs.url}/aff.php?aff=1`, { redirect: "manual" })
  expect(followed.status).toBe(302)
  expect(followed.headers.get("set-cookie")).toMatch(/^WHMCSAffiliateID=1; expires=/)
  expect((await call("GetAffiliates", { userid: 1 })).affiliates.affiliate).toMatchObject([{ visitors: "1" }])
})
