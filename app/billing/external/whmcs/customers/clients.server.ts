import { randomBytes } from "node:crypto"
import { z } from "zod"
import { BillingError, CustomerRejectedError } from "~/billing/billing"
import type { Visitor } from "~/billing/customers/customers"
import type { ExternalCustomer } from "~/billing/external/external-customers"
import { UNKNOWN_COUNTRY } from "~/domain/customers/country"
import { parseLocaleCode, toLanguageName } from "~/domain/locales"
import { type Currency, isCurrency } from "~/domain/money/money"
import { nullOnError } from "../client/errors"
import { matchesText } from "../client/html-entities"
import { Id } from "../client/response-schema"
import type { Whmcs } from "../context.server"
import { anyServiceAt } from "../services/services.server"
import { ClientResponse, type WhmcsClient } from "./client-schema"

export const CLIENT_NOT_FOUND = /client not found/i
export const EMAIL_TAKEN = /(already exists|not available for use)/i

const MadeClient = z.object({ clientid: Id })

/** Finds the client with an email; null if not found. */
export async function clientBy({ api }: Whmcs, email: string): Promise<WhmcsClient | null> {
  const wanted = email.trim()
  const call = api.read("GetClientsDetails", { email: wanted }, ClientResponse)
  const client = await nullOnError(CLIENT_NOT_FOUND, call)
  if (!client || matchesText(client.email, wanted)) return client
  throw new BillingError("unreadable", "Invalid WHMCS response to GetClientsDetails: different client")
}

/** The client who has a service, whoever ordered it; null if WHMCS has no such service. */
export async function ownerOf(whmcs: Whmcs, serviceid: string): Promise<ExternalCustomer | null> {
  const service = await anyServiceAt(whmcs, serviceid)
  if (service === null) return null
  const { clientid } = service
  const client = await whmcs.api.read("GetClientsDetails", { clientid }, ClientResponse)
  if (client.clientId === clientid) return customerAs(whmcs, client)
  throw new BillingError("unreadable", "Invalid WHMCS response to GetClientsDetails: different client")
}

/** `reach` is null: finding a client authenticates no one. */
export async function customerAs(whmcs: Whmcs, client: WhmcsClient): Promise<ExternalCustomer> {
  const { clientId: customerId, email, language, countrycode } = client
  const named = parseLocaleCode(language)
  // WHMCS has one English.
  const locale = named === "en-en" && countrycode.toUpperCase() === "GB" ? "en-gb" : named
  const code = (await whmcs.currencies.codeIn(client)) ?? ""
  const currency = isCurrency(code) ? code : null
  return { customerId, email, locale, currency, reach: null, key: client.uuid || null }
}

/**
 * Finds or creates the client with a visitor's email. A new client gets a random password and can reset it by email in
 * WHMCS. If another process creates the client concurrently, WHMCS rejects the email and this one is looked up again.
 * Throws `CustomerRejectedError` for a client who cannot order in this shop.
 */
export async function clientFor(whmcs: Whmcs, visitor: Visitor): Promise<ExternalCustomer> {
  const client = await clientBy(whmcs, visitor.email)
  if (client) return orderingCustomer(whmcs, client)
  const made = await nullOnError(
    EMAIL_TAKEN,
    newClient(whmcs, visitor, randomBytes(24).toString("base64url")),
  )
  if (made) return made
  const meanwhile = await clientBy(whmcs, visitor.email)
  if (meanwhile) return orderingCustomer(whmcs, meanwhile)
  throw new CustomerRejectedError(
    "Cannot create client: WHMCS bars the email, or it belongs to a user without a client",
  )
}

/** AddOrder rejects a closed client, and WHMCS invoices every client in the client's currency only. */
async function orderingCustomer(whmcs: Whmcs, client: WhmcsClient): Promise<ExternalCustomer> {
  const { clientId, status } = client
  if (/^closed$/i.test(status))
    throw new CustomerRejectedError(`Cannot place order: WHMCS client ${clientId} is closed`)
  const customer = await customerAs(whmcs, client)
  if (customer.currency !== null) return customer
  const code = (await whmcs.currencies.codeIn(client)) ?? "an unknown currency"
  throw new CustomerRejectedError(
    `Cannot place order: WHMCS client ${clientId} pays in ${code}, which the shop does not support`,
  )
}

/**
 * Creates a client. The checkout does not collect name and address, so `skipvalidation` disables WHMCS's required
 * fields. Of a client without any name WHMCS's lists show nothing that staff could read or click. Throws `WhmcsError` if the email is taken (`EMAIL_TAKEN`).
 */
export async function newClient(
  whmcs: Whmcs,
  visitor: Visitor,
  password2: string,
): Promise<ExternalCustomer> {
  const { locale, currency, country, address } = visitor
  const email = visitor.email.trim()
  const params = {
    email,
    firstname: email.slice(0, email.lastIndexOf("@")),
    password2,
    skipvalidation: true,
    noemail: true,
    language: toLanguageName(locale),
    currency: await currencyId(whmcs, currency),
    country: country === UNKNOWN_COUNTRY ? null : country,
    clientip: address,
  }
  const { clientid } = await whmcs.api.write("AddClient", params, MadeClient)
  const key = await keyOfMade(whmcs, { clientid, email })
  return { customerId: clientid, email, locale, currency, reach: null, key, isNew: true }
}

/**
 * AddClient does not answer the `uuid`. Throws "unreadable" if its id is of a client with another email, or of none: nobody is to get
 * what is another client's.
 */
async function keyOfMade(whmcs: Whmcs, { clientid, email }: Made): Promise<string | null> {
  const client = await readMade(whmcs, clientid)
  if (client === "unread") return null
  if (client && matchesText(client.email, email)) return client.uuid || null
  throw new BillingError("unreadable", "Invalid WHMCS response to AddClient: different client")
}

type Made = { readonly clientid: string; readonly email: string }

/**
 * The client exists whether or not it can be read now: a failure would say that a sign-up with a password has created nothing. The
 * next order or sign-in reads it. Null: WHMCS says that it has none with this id.
 */
async function readMade({ api, settings }: Whmcs, clientid: string): Promise<WhmcsClient | null | "unread"> {
  try {
    return await nullOnError(CLIENT_NOT_FOUND, api.read("GetClientsDetails", { clientid }, ClientResponse))
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    settings.log.warn({ clientId: clientid, reason: error.message }, "new WHMCS client not read")
    return "unread"
  }
}

async function currencyId({ currencies }: Whmcs, currency: Currency): Promise<string> {
  const known = (await currencies.list()).find(({ code }) => code === currency)
  if (known) return known.id
  throw new BillingError("refused", `Currency not found in WHMCS: ${currency}`)
}
