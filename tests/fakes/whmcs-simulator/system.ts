import { NO_TIME } from "./clock"
import { type Action, type Installation, page, prefixOf, SUCCESS, suffixOf } from "./installation"
import { displayName } from "./orders"
import { text, WhmcsError } from "./params"
import { List, type WhmcsResponse } from "./responses"
import { nextId } from "./state"

export const getPaymentMethods: Action = ({ gateways }) => {
  const methods = gateways.map((module) => ({ module, displayname: displayName(module) }))
  return { ...SUCCESS, totalresults: methods.length, paymentmethods: new List("paymentmethod", methods) }
}

export const getCurrencies: Action = ({ currencies, quirks }) => {
  const rows = currencies.map(({ id, code, rate }, index) => ({
    id: String(id),
    code,
    prefix: prefixOf(code),
    suffix: suffixOf(code),
    format: "4",
    rate: (rate / 100_000).toFixed(5),
    ...(quirks.defaultCurrency === "flagged" && { default: index === 0 ? "1" : "0" }),
  }))
  return { ...SUCCESS, totalresults: String(rows.length), currencies: new List("currency", rows) }
}

export const whmcsDetails: Action = () => ({
  ...SUCCESS,
  whmcs: { version: "8.13.1", canonicalversion: "8.13.1-release.1" },
})

export const affiliateActivate: Action = ({ state, clock }, params) => {
  const client = state.clients.find(({ id }) => String(id) === text(params, "userid"))
  if (!client) throw new WhmcsError("Client ID not found")
  if (!state.affiliates.some(({ clientId }) => clientId === client.id)) {
    state.affiliates.push({
      id: nextId(state.affiliates),
      clientId: client.id,
      date: clock.day(),
      visitors: 0,
    })
  }
  return SUCCESS
}

export const getAffiliates: Action = ({ state }, params) => {
  const [userid, visitors] = ["userid", "visitors"].map((name) => text(params, name))
  const matching = state.affiliates
    .filter(({ clientId }) => !userid || String(clientId) === userid)
    .filter((it) => !visitors || String(it.visitors) === visitors)
  const { rows, start } = page(params, matching)
  const affiliates = rows.map(
    (it): WhmcsResponse => ({
      id: String(it.id),
      date: it.date,
      clientid: String(it.clientId),
      visitors: String(it.visitors),
      paytype: "",
      payamount: "0.00",
      onetime: "0",
      balance: "0.00",
      withdrawn: "0.00",
      created_at: NO_TIME,
      updated_at: NO_TIME,
    }),
  )
  return {
    ...SUCCESS,
    totalresults: matching.length,
    startnumber: start,
    numreturned: rows.length,
    affiliates: new List("affiliate", affiliates),
  }
}

/** Records a click on an affiliate link. Returns whether the affiliate exists. */
export function click({ state }: Installation, affiliateId: string): boolean {
  const affiliate = state.affiliates.find(({ id }) => String(id) === affiliateId)
  if (affiliate) affiliate.visitors += 1
  return affiliate !== undefined
}
