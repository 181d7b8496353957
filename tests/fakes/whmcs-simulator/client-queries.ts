import { type Action, type Installation, page, SUCCESS, sameText } from "./installation"
import { decimal, text, WhmcsError } from "./params"
import { List, type WhmcsResponse } from "./responses"
import type { Client } from "./state"

export const getClientsDetails: Action = (installation, params) => {
  const [id = "", email = ""] = ["clientid", "email"].map((name) => text(params, name))
  if (id === "" && email === "") throw new WhmcsError("Either clientid Or email Is Required")
  const client = installation.state.clients.find((it) =>
    id ? String(it.id) === id : sameText(it.email, email),
  )
  if (!client) throw new WhmcsError("Client Not Found")
  const details = detailsOf(installation, client)
  return { ...SUCCESS, ...(installation.quirks.repeatsClient ? details : {}), client: details }
}

function detailsOf(installation: Installation, client: Client): WhmcsResponse {
  const { details } = client
  const currency = installation.currencies.find(({ code }) => code === client.currency)
  const fields = installation.clientFields.map(({ id }) => ({ id, value: client.customFields[id] ?? "" }))
  return {
    client_id: client.id,
    owner_user_id: client.userId,
    userid: client.id,
    id: client.id,
    uuid: client.uuid,
    ...details,
    fullname: `${details.firstname} ${details.lastname}`,
    email: client.email,
    countrycode: details.country ?? "",
    notes: client.notes,
    currency: currency?.id ?? 0,
    currency_code: client.currency,
    defaultgateway: "",
    groupid: 0,
    status: client.status,
    credit: decimal(client.credit),
    language: client.language,
    lastlogin: "No Login Logged",
    customfields: fields,
    ...Object.fromEntries(fields.map(({ value }, index) => [`customfields${index + 1}`, value])),
    users: new List("user", [
      {
        id: client.userId,
        name: `${details.firstname} ${details.lastname}`,
        email: client.email,
        is_owner: true,
      },
    ]),
  }
}

/** Finds clients whose email address or name begins with the search text. */
function found({ state }: Installation, params: Parameters<Action>[1]): readonly Client[] {
  const [search = "", status = ""] = ["search", "status"].map((name) => text(params, name).toLowerCase())
  const matching = state.clients
    .filter(({ email, details: { firstname = "", lastname = "", companyname = "" } }) => {
      const searched = [email, firstname, lastname, `${firstname} ${lastname}`, companyname]
      return searched.some((it) => it.toLowerCase().startsWith(search))
    })
    .filter((it) => status === "" || it.status.toLowerCase() === status)
  return text(params, "sorting") === "DESC" ? matching.toReversed() : matching
}

export const getClients: Action = (installation, params) => {
  const matching = found(installation, params)
  const { rows, start } = page(params, matching)
  const clients = rows.map(({ id, email, details, status, created }) => ({
    id,
    firstname: details.firstname ?? "",
    lastname: details.lastname ?? "",
    companyname: "",
    email,
    datecreated: created.slice(0, 10),
    groupid: 0,
    status,
  }))
  return {
    ...SUCCESS,
    totalresults: matching.length,
    startnumber: start,
    numreturned: rows.length,
    clients: new List("client", clients),
  }
}

/** The only list without a wrapper. */
export const getUsers: Action = (installation, params) => {
  const matching = found(installation, params)
  const { rows, start } = page(params, matching)
  const users = rows.map(({ id, userId, email, details, created }) => ({
    id: userId,
    firstname: details.firstname ?? "",
    lastname: details.lastname ?? "",
    email,
    datecreated: created,
    validationdata: "",
    clients: [{ id, isOwner: true }],
  }))
  return {
    ...SUCCESS,
    totalresults: matching.length,
    startnumber: start,
    numreturned: rows.length,
    users,
  }
}
