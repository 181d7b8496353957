import type { Currency } from "~/domain/money/money"
import { type Action, type Installation, SUCCESS, sameText } from "./installation"
import { sendMail } from "./mails"
import { flag, mapOf, text, WhmcsError } from "./params"
import type { Fields } from "./php-form"
import { type Client, nextId } from "./state"

/** Required fields, in the order in which WHMCS reports them as missing. */
const required: readonly [string, string][] = [
  ["firstname", "You did not enter your first name"],
  ["lastname", "You did not enter your last name"],
  ["address1", "You did not enter your address (line 1)"],
  ["city", "You did not enter your city"],
  ["state", "You did not enter your state"],
  ["postcode", "You did not enter your postcode"],
  ["phonenumber", "You did not enter your phone number"],
]
const DETAILS = [
  "firstname",
  "lastname",
  "companyname",
  "address1",
  "address2",
  "city",
  "state",
  "postcode",
  "country",
  "phonenumber",
]

/** First user id; it differs from client ids, so that mixing them up fails. */
const FIRST_USER = 500

export const addClient: Action = (installation, params) => {
  const email = text(params, "email").trim()
  const skips = text(params, "skipvalidation") !== "" && text(params, "skipvalidation") !== "0"
  const customFields = Object.fromEntries(
    [...mapOf(text(params, "customfields"))].map(([id, value]) => [id, String(value)]),
  )
  const error = missingIn(params, email) ?? (skips ? null : incomplete(installation, params, customFields))
  if (error) throw new WhmcsError(error)
  if (installation.state.clients.some((it) => sameText(it.email, email))) {
    throw new WhmcsError("A user already exists with that email address")
  }
  if (installation.quirks.bannedEmails?.test(email)) {
    throw new WhmcsError("The email address entered is not available for use.")
  }
  const id = nextId(installation.state.clients)
  const details = Object.fromEntries(DETAILS.map((name) => [name, text(params, name)]))
  const client: Client = {
    id,
    userId: FIRST_USER + id,
    uuid: crypto.randomUUID(),
    email,
    password: text(params, "password2"),
    details,
    customFields,
    currency: currencyIn(installation, text(params, "currency")),
    status: "Active",
    credit: 0,
    language: text(params, "language"),
    notes: text(params, "notes"),
    created: installation.clock.stamp(),
  }
  installation.state.clients.push(client)
  if (!flag(params, "noemail")) sendMail(installation, id, "Client Signup Email")
  return { ...SUCCESS, clientid: String(id), owner_id: String(client.userId) }
}

/** Email address and password are always required. */
function missingIn(params: Fields, email: string): string | null {
  if (email === "") return "You did not enter your email address"
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) return "The email address you entered was not valid"
  return text(params, "password2") === "" ? "You did not enter a password" : null
}

function incomplete(
  installation: Installation,
  params: Fields,
  fields: Record<string, string>,
): string | null {
  const missing = required.find(([name]) => text(params, name) === "")
  if (missing) return missing[1]
  if (!/^[A-Z]{2}$/.test(text(params, "country"))) return "Valid country required"
  const field = installation.clientFields.find((it) => it.required && !fields[it.id])
  return field ? `You did not provide required custom field value for ${field.name}` : null
}

/** Returns a currency by id, or the default one. */
function currencyIn({ currencies }: Installation, id: string): Currency {
  const row = currencies.find((it) => String(it.id) === id) ?? currencies[0]
  if (!row) throw new Error("An installation without a currency")
  return row.code
}

export const validateLogin: Action = ({ state, quirks }, params) => {
  const client = state.clients.find((it) => sameText(it.email, text(params, "email")))
  if (!client || client.password !== text(params, "password2")) {
    throw new WhmcsError("Email or Password Invalid")
  }
  const login = { ...SUCCESS, userid: client.userId, twoFactorEnabled: quirks.twoFactor }
  return quirks.twoFactor ? login : { ...login, passwordhash: "0".repeat(40) }
}

/** Changes a client's notes and password; other changes are not simulated. */
export const updateClient: Action = (installation, params) => {
  const [id, email] = [text(params, "clientid"), text(params, "clientemail")]
  const client = installation.state.clients.find((it) =>
    id ? String(it.id) === id : sameText(it.email, email),
  )
  if (!client) throw new WhmcsError("Client ID Not Found")
  client.notes = params.has("notes") ? text(params, "notes") : client.notes
  client.password = text(params, "password2") || client.password
  return { ...SUCCESS, clientid: String(client.id) }
}
